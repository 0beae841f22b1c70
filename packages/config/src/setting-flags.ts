import type { FlagGroup } from "./declaration.ts";
import type { SETTINGS } from "./declared-settings.ts";
import { keyPath } from "./leaves.ts";
import { DECLARED, type DeclaredSetting } from "./settings.ts";
import type { ValueType } from "./value-type.ts";

type Sections = typeof SETTINGS;
/** Each setting that has a flag. */
type Flagged = {
  [S in keyof Sections]: Extract<Sections[S][keyof Sections[S]], { readonly flag: object }>;
}[keyof Sections];

interface FlagText {
  readonly help: string;
}
interface FlagWithValue<K extends string> extends FlagText {
  readonly kind: K;
  readonly value: string;
}
interface FlagWithWords<C> extends FlagText {
  readonly kind: "choice";
  readonly choices: readonly C[];
}

/** The flag for a setting of this type, as packages/cli reads flags. */
type FlagFor<T extends ValueType, F> = F extends { readonly words: readonly (infer C)[] }
  ? FlagWithWords<C>
  : T extends { readonly kind: "boolean" }
    ? FlagText & { readonly kind: "switch" }
    : T extends { readonly kind: "choice"; readonly choices: readonly (infer C)[] }
      ? FlagWithWords<C>
      : T extends { readonly kind: "number" }
        ? FlagWithValue<"number"> & { readonly min: number; readonly max: number }
        : T extends { readonly kind: "list" }
          ? FlagWithValue<"list">
          : FlagWithValue<"text">;

type SettingFlags<G extends FlagGroup> = {
  readonly [D in Extract<Flagged, { readonly flag: { readonly group: G } }> as D["flag"]["name"]]: FlagFor<
    D["type"],
    D["flag"]
  >;
};

/** The flags of all settings in a group, by name, in the order of the settings. */
export function settingFlags<const G extends FlagGroup>(group: G): SettingFlags<G> {
  const found = DECLARED.flatMap((declared) => {
    const { flag } = declared;
    return flag?.group === group ? [[flag.name, flagFor(declared, flag)]] : [];
  });
  return Object.fromEntries(found) as SettingFlags<G>;
}

function flagFor({ type }: DeclaredSetting, { help, value = "<text>", min, words }: DeclaredFlag) {
  if (words !== undefined) return { kind: "choice", choices: words, help };
  if (type.kind === "boolean") return { kind: "switch", help };
  if (type.kind === "choice") return { kind: "choice", choices: type.choices, help };
  if (type.kind === "number") return { kind: "number", value, min: min ?? type.min, max: type.max, help };
  return { kind: type.kind, value, help };
}

type DeclaredFlag = NonNullable<DeclaredSetting["flag"]>;

/** How a setting in a file is related to its flag. */
interface FlagSetting {
  /** As in `server.port`. */
  readonly key: string;
  /**
   * True: the setting is the value of a flag that was not written. False where a variable comes between the two: who uses the
   * setting asks for both.
   */
  readonly isFilled: boolean;
  readonly toFlag: (value: unknown) => unknown;
  /** Flags that must not be given as well. */
  readonly excludes: readonly string[];
}

/** The settings that have flags, by flag. */
export const FLAG_SETTINGS: Readonly<Record<string, FlagSetting>> = Object.fromEntries(
  DECLARED.flatMap((declared) => {
    const { parts, flag, environment } = declared;
    if (flag === undefined) return [];
    const excludes = DECLARED.filter((other) => contradict(declared, other) || contradict(other, declared));
    return [
      [
        flag.name,
        {
          key: keyPath(parts),
          isFilled: environment === undefined,
          toFlag: converterFor(declared, flag),
          excludes: excludes.flatMap((other) => other.flag?.name ?? []),
        },
      ],
    ];
  }),
);

function contradict({ parts: [section], contradicts }: DeclaredSetting, other: DeclaredSetting): boolean {
  return contradicts !== undefined && other.parts[0] === section && other.parts[1] === contradicts;
}

function converterFor(declared: DeclaredSetting, { words }: DeclaredFlag): FlagSetting["toFlag"] {
  if (words !== undefined) return (value) => (value === false ? words[1] : words[0]);
  const turnsOff = declared.type.kind === "boolean" && declared.default === true;
  return turnsOff ? (value) => value === false : (value) => value;
}
