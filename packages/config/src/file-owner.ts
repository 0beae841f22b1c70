import { type KeyParts, keyPath } from "./leaves.ts";
import { DEFAULT_VALUES, SECTIONS } from "./settings.ts";

/** Whose settings a file has. */
export type FileOwner = "operator" | "library" | "project";

/** One thing that is wrong in a file, and the key it is about. */
export interface KeyProblem {
  readonly key: string;
  readonly message: string;
}

/** What a project may set: it may narrow what is served and add to it, and never run or send anything. */
const OF_A_PROJECT: ReadonlySet<string> = new Set([
  "skills.include",
  "skills.exclude",
  "skills.skill_dirs",
  "server.description_budget",
  "server.instructions_budget",
  "server.profile",
  "repos",
]);

/** What flags say is not for a library to decide. */
const NOT_OF_A_LIBRARY: ReadonlySet<string> = new Set([
  "search",
  "skills",
  "server",
  "audit",
  "repos",
  "profiles",
]);

/** What decides which secrets leave this machine, and who is named. */
const KEYS_NOT_OF_A_LIBRARY: ReadonlySet<string> = new Set([
  "analytics.caller",
  "analytics.headers",
  "analytics.server_id",
]);

/** A file's data without the keys that its owner may not set, which are named. Keys that no file may set stay. */
export function withoutForbidden(
  data: unknown,
  owner: FileOwner,
  ownFile: string,
): { readonly data: unknown; readonly ignored: readonly KeyProblem[] } {
  if (owner === "operator" || !isMap(data)) return { data, ignored: [] };
  const rest = structuredClone(data) as Record<string, unknown>;
  const ignored: KeyProblem[] = [];
  const leaveOut = (branch: object, parts: KeyParts): void => {
    const key = keyPath(parts);
    Reflect.deleteProperty(branch, parts.at(-1) ?? "");
    ignored.push({ key, message: `${key} was ignored, because ${reasonFor(owner)}; set it in ${ownFile}.` });
  };
  for (const [section, value] of Object.entries(data)) {
    if (!SECTIONS.includes(section)) continue;
    if (owner === "library") {
      if (NOT_OF_A_LIBRARY.has(section)) leaveOut(rest, [section]);
      else if (isMap(value)) {
        for (const key of Object.keys(value))
          if (KEYS_NOT_OF_A_LIBRARY.has(`${section}.${key}`))
            leaveOut(rest[section] as object, [section, key]);
      }
    } else if (!isMap(value) || section === "profiles") {
      if (!mayHold(section)) leaveOut(rest, [section]);
    } else {
      const known = valueAt(DEFAULT_VALUES, [section]) ?? {};
      for (const key of Object.keys(value)) {
        const isForbidden = Object.hasOwn(known, key) && !OF_A_PROJECT.has(`${section}.${key}`);
        if (isForbidden) leaveOut(rest[section] as object, [section, key]);
      }
    }
  }
  return { data: rest, ignored };
}

function reasonFor(owner: FileOwner): string {
  return owner === "library" ? "a library may not set it" : "a project may only narrow and add";
}

/** Whether a project may have something in this section. */
function mayHold(section: string): boolean {
  return [...OF_A_PROJECT].some((key) => key === section || key.startsWith(`${section}.`));
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

function isMap(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
