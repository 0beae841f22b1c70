import type { ProfileSettings } from "#skills";
import type { Declaration } from "./declaration.ts";
import { REPOS, SETTINGS } from "./declared-settings.ts";
import { valuesOf } from "./leaves.ts";
import type { ValueOf, ValueType } from "./value-type.ts";

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

/** Something to fix before anything is served. `place` is a file, with its line where known, or a variable. */
export interface ConfigProblem {
  readonly place: string;
  readonly message: string;
}
