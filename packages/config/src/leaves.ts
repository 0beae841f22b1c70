import { cutText, isRecord } from "#util/pure";
import type { ConfigValues } from "./settings.ts";

export type KeyParts = readonly (string | number)[];

/** An unknown key may be as long as the file; a message shows only its beginning. */
const LONGEST_PART = 80;

/** A key as people write it: `scripts.timeout_seconds`, `scripts.runners[".sh"]`, `scripts.folders[0]`. */
export function keyPath(parts: KeyParts): string {
  return parts
    .map((part, index) => {
      if (typeof part === "number") return `[${part}]`;
      if (!/^[a-z_][\w-]*$/i.test(part)) return `[${JSON.stringify(cutText(part, LONGEST_PART))}]`;
      return index === 0 ? cutText(part, LONGEST_PART) : `.${cutText(part, LONGEST_PART)}`;
    })
    .join("");
}

/** The smallest thing that is set as a whole: one setting, or the command for one extension. */
export interface Leaf {
  readonly parts: readonly string[];
  readonly value: unknown;
}

/** Everything that a map of sections sets. A list is one value, also outside of a section. */
export function leavesOf(settings: object): readonly Leaf[] {
  return Object.entries(settings).flatMap(([section, keys]: [string, unknown]): readonly Leaf[] => {
    if (keys === null || keys === undefined) return [];
    if (!isRecord(keys)) return [{ parts: [section], value: keys }];
    return Object.entries(keys).flatMap(([key, value]) =>
      isRecord(value)
        ? Object.entries(value).map(([name, inner]): Leaf => ({ parts: [section, key, name], value: inner }))
        : [{ parts: [section, key], value }],
    );
  });
}

/** The inverse of `leavesOf`. A later leaf replaces an earlier one of the same name. */
export function valuesOf(leaves: readonly Leaf[]): ConfigValues {
  const root: Branch = new Map();
  for (const { parts, value } of leaves) {
    const last = parts.length - 1;
    let branch = root;
    for (const part of parts.slice(0, last)) {
      const known = branch.get(part);
      const next: Branch = known instanceof Map ? (known as Branch) : new Map();
      branch.set(part, next);
      branch = next;
    }
    branch.set(parts[last] ?? "", value);
  }
  return toObject(root) as ConfigValues;
}

type Branch = Map<string, unknown>;

/** `fromEntries` makes every key a property of its own, `__proto__` too. */
function toObject(branch: Branch): object {
  return Object.fromEntries(
    Array.from(branch, ([key, value]) => [key, value instanceof Map ? toObject(value as Branch) : value]),
  );
}
