import { isDeepStrictEqual } from "node:util";
import type { ProfileSettings, SettingsProblem } from "#skills";
import { cutText, isRecord } from "#util/pure";
import type { Declaration, ValueOf, ValueType } from "./declaration.ts";
import { REGISTRIES, REPOS, SETTINGS } from "./declared-settings.ts";

/** A setting without a default may be undefined. */
type Value<D extends { readonly type: ValueType }> = D extends { readonly default: unknown }
  ? ValueOf<D["type"]>
  : ValueOf<D["type"]> | undefined;

/** The values of all settings, typed as they are declared. Paths are absolute. */
export type ConfigValues = {
  readonly [Section in keyof typeof SETTINGS]: {
    readonly [Key in keyof (typeof SETTINGS)[Section]]: (typeof SETTINGS)[Section][Key] extends {
      readonly type: ValueType;
    }
      ? Value<(typeof SETTINGS)[Section][Key]>
      : never;
  };
} & {
  /** Repositories to serve. */
  readonly repos: readonly string[];
  /** Where `find` looks for skills that are not here. */
  readonly registries: readonly string[];
  /** Who sees what, by name; absent without any. */
  readonly profiles?: Readonly<Record<string, ProfileSettings>>;
  /** What the project's file adds to the lists of the same names; absent when it adds nothing. */
  readonly project?: {
    readonly skills?: Readonly<Record<string, readonly string[]>>;
    readonly repos?: readonly string[];
  };
};

export type SandboxMode = NonNullable<ConfigValues["scripts"]["sandbox"]>;
export type AuditLogTarget = NonNullable<ConfigValues["audit"]["log"]>;

/** A declared setting, and where it is in a file. */
export interface DeclaredSetting extends Declaration {
  readonly parts: readonly [section: string, ...key: string[]];
}

/** All settings that are declared, in their order. */
export const DECLARED: readonly DeclaredSetting[] = [
  ...Object.entries(SETTINGS).flatMap(([section, settings]) =>
    Object.entries<Declaration>(settings).map(
      ([key, declared]): DeclaredSetting => ({ ...declared, parts: [section, key] }),
    ),
  ),
  { ...REPOS, parts: ["repos"] },
  { ...REGISTRIES, parts: ["registries"] },
];

export const DEFAULT_VALUES: ConfigValues = valuesOf(
  DECLARED.map(({ parts, default: value }) => ({ parts, value })),
);

/** What a file may have at its top. */
export const SECTIONS: readonly string[] = [...Object.keys(DEFAULT_VALUES), "profiles"];

/** The declaration of the setting that a key, or a part of its value, belongs to; `project.` before it does not matter. */
export function declaredAt(given: readonly (string | number)[]): DeclaredSetting | undefined {
  const wanted = given[0] === "project" ? given.slice(1) : given;
  return DECLARED.find(({ parts }) => parts.every((part, index) => part === wanted[index]));
}

/** Where a value comes from. */
export type Origin =
  | { readonly kind: "default" }
  | { readonly kind: "file"; readonly file: string; readonly line?: number }
  | { readonly kind: "environment"; readonly variable: string };

/** The effective values, and where each came from, by key path (`scripts.runners[".sh"]`). */
export interface Config {
  readonly values: ConfigValues;
  readonly origins: ReadonlyMap<string, Origin>;
}

/** Something to fix: a command and a server over HTTP refuse to start with it. */
export type ConfigProblem = SettingsProblem;

/** What is not served because of a problem. */
export type WithheldKinds = NonNullable<ConfigProblem["withholds"]>;

/** What a file that cannot be understood as a whole may have withheld. */
export const EVERYTHING: WithheldKinds = ["skills", "profiles", "library", "scripts", "usage"];

/** What the settings at a key of the operator's own file can withhold, and those below it. */
export function withheldAt(wanted: KeyParts): WithheldKinds {
  if (wanted.length === 0) return EVERYTHING;
  if (wanted[0] === "profiles") return ["profiles"];
  const found = DECLARED.filter(({ parts }) =>
    parts.every((part, index) => index >= wanted.length || part === wanted[index]),
  );
  return [...new Set(found.flatMap(({ withholds = [] }) => withholds))];
}

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

/** A value that a file or a variable sets. */
export interface Setting extends Leaf {
  readonly origin: Origin;
}

/** Puts layers over the defaults, the weakest first. Leaves are merged one by one: a runner for one extension does not remove the others. */
export function mergeSettings(layers: readonly (readonly Setting[])[]): Config {
  const settings = layers.flat();
  const values = valuesOf([...leavesOf(DEFAULT_VALUES), ...settings]);
  const set = new Map(settings.map(({ parts, origin }) => [keyPath(parts), origin]));
  const origins = leavesOf(values).map(({ parts }): [string, Origin] => {
    const key = keyPath(parts);
    return [key, set.get(key) ?? { kind: "default" }];
  });
  return { values, origins: new Map(origins) };
}

/** Whether a changed setting, by its key path, counts only after a restart. */
export function needsRestart(key: string): boolean {
  const parts = key.replace(/\[.*/, "").split(".");
  return parts[0] !== "profiles" && declaredAt(parts)?.live !== true;
}

/** The keys whose effective values differ. */
export function changedKeys(before: Config, after: Config): readonly string[] {
  const [old, fresh] = [before, after].map(({ values }) => {
    return new Map(leavesOf(values).map(({ parts, value }) => [keyPath(parts), value]));
  });
  const keys = new Set([...(old?.keys() ?? []), ...(fresh?.keys() ?? [])]);
  return [...keys].filter((key) => !isDeepStrictEqual(old?.get(key), fresh?.get(key)));
}
