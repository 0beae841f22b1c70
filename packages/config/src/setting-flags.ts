import type { FlagGroup } from "./declaration.ts";
import type { SETTINGS } from "./declared-settings.ts";
import { DECLARED, type DeclaredSetting, keyPath } from "./settings.ts";

type Sections = typeof SETTINGS;
/** Each setting that has a flag. */
type Flagged = {
  [S in keyof Sections]: Extract<Sections[S][keyof Sections[S]], { readonly flag: string }>;
}[keyof Sections];

interface FlagWithValue<K extends string> {
  readonly kind: K;
  readonly value: string;
  readonly help: string;
}

/** The flag for values of this type, as packages/cli reads flags. */
type FlagFor<T> = T extends { readonly kind: "boolean" }
  ? { readonly kind: "switch"; readonly help: string }
  : T extends { readonly kind: "choice"; readonly choices: readonly (infer C)[] }
    ? { readonly kind: "choice"; readonly choices: readonly C[]; readonly help: string }
    : T extends { readonly kind: "number" }
      ? FlagWithValue<"number"> & { readonly min: number; readonly max: number }
      : FlagWithValue<T extends { readonly kind: "list" } ? "list" : "text">;

type NameOf<F extends string> = F extends `--${infer Name} ${string}`
  ? Name
  : F extends `--${infer Name}`
    ? Name
    : F;

type SettingFlags<G extends FlagGroup> = {
  readonly [D in Extract<Flagged, { readonly of: G }> as NameOf<D["flag"]>]: FlagFor<
    D extends { readonly flagType: infer T } ? T : D["type"]
  >;
};

/** The flags of all settings in a group, by name, in the order of the settings. */
export function settingFlags<const G extends FlagGroup>(group: G): SettingFlags<G> {
  const found = DECLARED.flatMap((declared) => {
    const name = flagName(declared);
    return declared.of === group && name !== undefined ? [[name, flagFor(declared)]] : [];
  });
  return Object.fromEntries(found) as SettingFlags<G>;
}

function flagFor({ type: own, flagType: type = own, flag, help }: DeclaredSetting) {
  const value = flag?.split(" ")[1];
  if (type.kind === "boolean") return { kind: "switch", help };
  if (type.kind === "choice") return { kind: "choice", choices: type.choices, help };
  if (type.kind === "number") return { kind: "number", value, min: type.min, max: type.max, help };
  return { kind: type.kind, value, help };
}

function flagName({ flag }: DeclaredSetting): string | undefined {
  return flag?.slice(2).split(" ")[0];
}

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
    const { parts, environment } = declared;
    const name = flagName(declared);
    if (name === undefined) return [];
    const excludes = DECLARED.filter((other) => contradict(declared, other) || contradict(other, declared));
    return [
      [
        name,
        {
          key: keyPath(parts),
          isFilled: environment === undefined,
          toFlag: converterFor(declared),
          excludes: excludes.flatMap((other) => flagName(other) ?? []),
        },
      ],
    ];
  }),
);

function contradict({ parts: [section], contradicts }: DeclaredSetting, other: DeclaredSetting): boolean {
  return contradicts !== undefined && other.parts[0] === section && other.parts[1] === contradicts;
}

function converterFor({ type, flagType, default: value }: DeclaredSetting): FlagSetting["toFlag"] {
  if (type.kind === "boolean" && flagType?.kind === "choice") {
    const [on, off] = flagType.choices;
    return (given) => (given === false ? off : on);
  }
  const turnsOff = type.kind === "boolean" && value === true;
  return turnsOff ? (given) => given === false : (given) => given;
}
