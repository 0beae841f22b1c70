import type { SettingsProblem } from "#skills";

/**
 * What the value of a setting may be, as plain data: the schema of files (schema.ts), flags and variables are made of it.
 * `allowed` is the end of a sentence that says what is wrong.
 */
export type ValueType =
  | { readonly kind: "boolean" }
  | { readonly kind: "number"; readonly whole: boolean; readonly min: number; readonly max: number }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  | TextType
  | { readonly kind: "list"; readonly of: TextType; readonly allowed: string }
  /** Commands by file extension. */
  | { readonly kind: "runners" };

export interface TextType {
  readonly kind: "text";
  readonly allowed: string;
  readonly accepts: (text: string) => boolean;
  /** What `accepts` tests, where that is all of it: a JSON Schema can say it too. */
  readonly pattern: RegExp | undefined;
  /** A path is made absolute, an extension is written in lower case, a filter is checked by schema.ts. */
  readonly as?: "path" | "extension" | "filter";
}

/** The TypeScript type of such a value. */
export type ValueOf<T extends ValueType> = T extends { readonly kind: "boolean" }
  ? boolean
  : T extends { readonly kind: "number" }
    ? number
    : T extends { readonly kind: "choice"; readonly choices: readonly (infer C)[] }
      ? C
      : T extends { readonly kind: "list" }
        ? readonly string[]
        : T extends { readonly kind: "runners" }
          ? Readonly<Record<string, string>>
          : string;

export const BOOLEAN = { kind: "boolean" } as const;

/** A number from 0 to 1. */
export const SHARE = { kind: "number", whole: false, min: 0, max: 1 } as const;

export const whole = (min: number, max: number) => ({ kind: "number", whole: true, min, max }) as const;

export const choice = <const C extends readonly string[]>(choices: C) =>
  ({ kind: "choice", choices }) as const;

export function text(
  allowed: string,
  accepts: RegExp | TextType["accepts"],
  as?: NonNullable<TextType["as"]>,
): TextType {
  const [test, pattern] =
    typeof accepts === "function"
      ? [accepts, undefined]
      : [(given: string): boolean => accepts.test(given), accepts];
  return { kind: "text", allowed, accepts: test, pattern, ...(as === undefined ? {} : { as }) };
}

export const list = (of: TextType, allowed: string) => ({ kind: "list", of, allowed }) as const;

/** What a value of this type must be, as the end of a sentence. */
export function allowedText(type: ValueType): string {
  if (type.kind === "boolean") return "true or false";
  if (type.kind === "number") return `a ${type.whole ? "whole " : ""}number from ${type.min} to ${type.max}`;
  if (type.kind === "choice")
    return `${type.choices.slice(0, -1).join(", ")} or ${type.choices.at(-1) ?? ""}`;
  return type.kind === "runners" ? "a map of file extensions to commands" : type.allowed;
}

/** The value that a text stands for in the environment; undefined when it is not allowed there. */
export function valueFromText(type: ValueType, given: string): unknown {
  if (type.kind === "boolean") return given === "true" ? true : given === "false" ? false : undefined;
  if (type.kind === "choice") return type.choices.find((one) => one === given);
  if (type.kind === "text") return type.accepts(given) ? given : undefined;
  if (type.kind !== "number") return undefined;
  const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  return value >= type.min && value <= type.max ? value : undefined;
}

/** Everything that there is to say about one setting. Optional parts say the least that is safe when they are absent. */
export interface Declaration<T extends ValueType = ValueType> extends FlagDeclaration {
  readonly type: T;
  /** Absent: the setting is not set, and who uses it decides. */
  readonly default?: ValueOf<T>;
  /** How `config` shows that nothing is set, if not as "(not set)" or "(none)". */
  readonly unset?: string;
  /** True: a running HTTP server uses a changed value. Otherwise it counts after a restart. */
  readonly live?: true;
  /** What counts of a value in the config.yaml of a library. Absent: a library may not set it. */
  readonly library?: LibraryRule;
  /** True: the .skills-mcp.yaml of a project may set it. It may narrow and add, and never run or send anything. */
  readonly project?: true;
  readonly environment?: EnvironmentVariable;
  /**
   * What a value can withhold: a server on stdio, which starts with a wrong value, does not serve that until it is repaired.
   * Absent: the default counts meanwhile.
   */
  readonly withholds?: SettingsProblem["withholds"];
  /** The setting of the same section that must not be true as well. */
  readonly contradicts?: string;
  /** True: messages do not repeat a wrong value. */
  readonly secret?: true;
  /** What `config` shows of a text that may contain a password. */
  readonly shown?: (text: string) => string;
}

/**
 * The flag for a setting; there is none when it is absent. Its kind follows from the type: a switch for a setting that is true
 * by default turns it off. What is in a file counts where the flag is not written, unless a variable sets it too: that comes
 * between them.
 */
interface FlagDeclaration {
  /** As in `--port <port>`. */
  readonly flag?: string;
  /** The commands that take it, by their group of flags in packages/cli. */
  readonly of?: FlagGroup;
  readonly help?: string;
  /** If its values are not those in a file. For a boolean: a choice of the words for true and false. */
  readonly flagType?: ValueType;
}

/**
 * view: commands that read skills; client: also `doctor --client`; tools, refresh: servers; http: servers over HTTP; transport:
 * servers on a transport of choice.
 */
export type FlagGroup = "view" | "client" | "tools" | "refresh" | "http" | "transport";

/** What a library may decide about the machine that serves it. SKILLS_TRUST_CONFIG=1 trusts it with everything else. */
export interface LibraryRule {
  /** True: of several libraries the tightest value counts, not the first. */
  readonly tightens?: true;
  /** The part of a value that counts; undefined: none of it. All of it unless given. */
  readonly accept?: (value: unknown) => unknown;
  /** True: nothing but what `accept` leaves counts, also for a trusted library. */
  readonly evenTrusted?: true;
  /** True: it does not count from git, where anyone with push access writes the file. */
  readonly notFromGit?: true;
}

/** An environment variable that sets a setting, over every file. */
interface EnvironmentVariable {
  readonly variable: string;
  /** Reads what the type alone does not describe; `wrong` is the whole message. */
  readonly read?: (text: string) => { readonly value: unknown } | { readonly wrong: string };
  /** The setting of the same section that the variable sets to true as well. */
  readonly turnsOn?: string;
  /** Follows the message about a wrong value. */
  readonly advice?: string;
}

/** Checks a declaration, and keeps what it says for the types that are made of it. */
export function setting<const T extends ValueType, const D extends Omit<Declaration<T>, "type">>(
  type: T,
  declared: D,
): D & { readonly type: T } {
  return { ...declared, type };
}
