import { isRecord } from "#util/pure";
import { type KeyParts, keyPath } from "./leaves.ts";
import { DECLARED, type DeclaredSetting, declaredAt, SECTIONS } from "./settings.ts";

/** Who wrote a file, which decides what it may set. */
export type FileOwner = "operator" | "library" | "project";

/** One thing that is wrong in a file, and the key it is about. */
export interface KeyProblem {
  readonly key: string;
  readonly message: string;
}

/** Removes the keys that a file's owner may not set, and names them. Keys that are no settings stay. */
export function withoutForbidden(
  data: unknown,
  owner: FileOwner,
  ownFile: string,
): { readonly data: unknown; readonly ignored: readonly KeyProblem[] } {
  if (owner === "operator" || !isRecord(data)) return { data, ignored: [] };
  const rest = structuredClone(data) as Record<string, unknown>;
  const ignored: KeyProblem[] = [];
  const leaveOut = (branch: object, parts: KeyParts): void => {
    const key = keyPath(parts);
    Reflect.deleteProperty(branch, parts.at(-1) ?? "");
    ignored.push({ key, message: `${key} was ignored, because ${reasonFor(owner)}; set it in ${ownFile}.` });
  };
  const maySet = (declared: DeclaredSetting): boolean => declared[owner] !== undefined;
  for (const [section, value] of Object.entries(data)) {
    if (!SECTIONS.includes(section)) continue;
    const mayUse = DECLARED.some((declared) => declared.parts[0] === section && maySet(declared));
    // A library's keys are named one by one only where it may set another key of the section.
    if (owner === "library" ? !mayUse : !isRecord(value) || section === "profiles") {
      if (!mayUse) leaveOut(rest, [section]);
    } else if (isRecord(value)) {
      for (const key of Object.keys(value)) {
        const declared = declaredAt([section, key]);
        if (declared !== undefined && !maySet(declared)) leaveOut(rest[section] as object, [section, key]);
      }
    }
  }
  return { data: rest, ignored };
}

function reasonFor(owner: FileOwner): string {
  return owner === "library" ? "a library may not set it" : "a project may only narrow and add";
}

/** The value of a key in a file's data. */
export function valueAt(data: unknown, parts: KeyParts): unknown {
  let value = data;
  for (const part of parts) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value;
}
