import { parseArgs } from "node:util";
import { Refusal, suggestNames } from "#util/pure";

type NumberFlag = Readonly<{ kind: "number"; value: string; min: number; max: number; help: string }>;
type ChoiceFlag<C extends string> = Readonly<{
  kind: "choice";
  choices: readonly C[];
  help: string;
  /** One letter, for a flag that people know as `-f`. */
  short?: string;
  /** The choice that another spelling means. */
  means?: (typed: string) => string | undefined;
}>;

type ListFlag = Readonly<{
  kind: "list";
  value: string;
  help: string;
  short?: string;
  /** Words that may follow the first value are values too: `-a claude-code cursor`. */
  takesMore?: (word: string) => boolean;
}>;

/** One flag of a command. `value` is how help and errors show its value. */
export type Flag =
  | Readonly<{ kind: "switch"; help: string; short?: string }>
  | Readonly<{ kind: "text"; value: string; help: string; short?: string }>
  | ListFlag
  | NumberFlag
  | ChoiceFlag<string>;

export const flag = {
  /** `short` is one letter, for a flag that people know as `-g`. */
  switch: (help: string, short?: string) =>
    ({ kind: "switch", help, ...(short === undefined ? {} : { short }) }) as const,
  text: (value: string, help: string) => ({ kind: "text", value, help }) as const,
  list: (value: string, help: string, more: Pick<ListFlag, "short" | "takesMore"> = {}): ListFlag => {
    return { kind: "list", value, help, ...more };
  },
  number: (value: string, [min, max]: readonly [number, number], help: string): NumberFlag => {
    return { kind: "number", value, min, max, help };
  },
  choice: <const C extends string>(
    choices: readonly C[],
    help: string,
    more: Pick<ChoiceFlag<C>, "short" | "means"> = {},
  ): ChoiceFlag<C> => {
    return { kind: "choice", choices, help, ...more };
  },
};

/** Names that flags have in other tools, with their names here. `off` turns the switch off. */
export const OTHER_NAMES: Readonly<Record<string, { readonly name: string; readonly off?: true }>> = {
  "claude-plugins-file": { name: "plugins-file" },
  "claude-plugins-root": { name: "plugins-root" },
  force: { name: "replace" },
  "no-scan-default-dirs": { name: "no-default-dirs" },
  "scan-default-dirs": { name: "no-default-dirs", off: true },
};

export type Flags = Readonly<Record<string, Flag>>;

type FlagValue<F extends Flag> = F extends { kind: "switch" }
  ? boolean
  : F extends { kind: "list" }
    ? readonly string[]
    : F extends { kind: "number" }
      ? number | undefined
      : F extends { kind: "choice"; choices: readonly (infer C)[] }
        ? C | undefined
        : string | undefined;

export type FlagValues<T extends Flags> = { readonly [K in keyof T]: FlagValue<T[K]> };

export interface ParsedFlags<T extends Flags> {
  readonly flags: FlagValues<T>;
  /** The flags that were written. */
  readonly named: ReadonlySet<string>;
  readonly positionals: readonly string[];
}

/** Reads the arguments of a command. Anything it does not understand is a `Refusal` of one line. */
export function parseFlags<T extends Flags>(
  args: readonly string[],
  flags: T,
  command?: string,
): ParsedFlags<T> {
  const values = new Map<string, unknown>();
  const positionals: string[] = [];
  /** The list that the words after its flag may belong to. */
  let open: { readonly name: string; readonly flag: ListFlag } | undefined;
  for (const token of tokensOf(args, flags)) {
    if (token.kind === "option-terminator") {
      open = undefined;
      continue;
    }
    if (token.kind === "positional") {
      if (open?.flag.takesMore?.(token.value) === true) add(open.name, token.value);
      else {
        open = undefined;
        positionals.push(token.value);
      }
      continue;
    }
    open = undefined;
    // As it was typed: `-abc` is one unknown flag, not three.
    const [written = ""] = (args[token.index] ?? "").split("=", 1);
    const { name, flag, off } = lookUpFlag(written, flags, command);
    if (flag.kind === "switch") {
      if (token.value !== undefined) throw badUsage(written, `${written} takes no value.`);
      values.set(name, !off);
      continue;
    }
    const value = readValue(written, flag, token.value, token.inlineValue !== true);
    if (flag.kind === "list") {
      add(name, String(value));
      open = { name, flag };
    } else values.set(name, value);
  }
  const read = Object.entries(flags).map(([name, flag]) => {
    const fallback = flag.kind === "switch" ? false : flag.kind === "list" ? [] : undefined;
    return [name, values.get(name) ?? fallback] as const;
  });
  return {
    flags: Object.fromEntries(read) as FlagValues<T>,
    named: new Set(values.keys()),
    positionals,
  };

  function add(name: string, value: string): void {
    const list = values.get(name) as readonly string[] | undefined;
    values.set(name, [...(list ?? []), value]);
  }
}

/** The arguments as tokens. parseArgs is not strict here: its errors have several lines and no suggestions. */
function tokensOf(args: readonly string[], flags: Flags) {
  const optionOf = (flag: Flag) => ({
    type: flag.kind === "switch" ? ("boolean" as const) : ("string" as const),
    ...("short" in flag && flag.short !== undefined ? { short: flag.short } : {}),
  });
  const own = Object.entries(flags).map(([name, flag]) => [name, optionOf(flag)] as const);
  const others = Object.entries(OTHER_NAMES).flatMap(([name, { name: known }]) => {
    const flag = flags[known];
    return flag === undefined ? [] : [[name, optionOf(flag)] as const];
  });
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries([...others, ...own]),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  return tokens;
}

/** The flag that was written, by its own name, its letter or the name that another tool has for it. */
function lookUpFlag(
  written: string,
  flags: Flags,
  command: string | undefined,
): { readonly name: string; readonly flag: Flag; readonly off: boolean } {
  const typed = written.startsWith("--") ? written.slice(2) : nameOfLetter(written, flags);
  const other = Object.hasOwn(OTHER_NAMES, typed) ? OTHER_NAMES[typed] : undefined;
  const name = Object.hasOwn(flags, typed) ? typed : (other?.name ?? "");
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (flag !== undefined) return { name, flag, off: name !== typed && other?.off === true };
  // Every command takes --help, though none lists it among its flags.
  const [meant] = suggestNames(written.replace(/^-+/, ""), [...Object.keys(flags), "help"], 1);
  const where = command === undefined ? "" : ` for ${command}`;
  const message = `Unknown flag '${written}'${where}.`;
  if (meant !== undefined) throw badUsage(written, `${message} Did you mean --${meant}?`);
  throw new Refusal(message, { code: "bad-usage", flag: written, isUnknown: true });
}

/** `format` for `-f`; empty for a letter that no flag has. */
function nameOfLetter(written: string, flags: Flags): string {
  const isOf = (flag: Flag): boolean => "short" in flag && written === `-${flag.short}`;
  return Object.entries(flags).find(([, flag]) => isOf(flag))?.[0] ?? "";
}

function readValue(
  written: string,
  flag: Exclude<Flag, { kind: "switch" }>,
  given: string | undefined,
  isNextArgument: boolean,
) {
  const isAnotherFlag = isNextArgument && given !== undefined && /^--?[a-z]/i.test(given);
  if (given === undefined || given === "" || isAnotherFlag) {
    throw badUsage(written, `${written} needs a value: ${written} ${flagValue(flag)}.`);
  }
  if (flag.kind === "number") {
    const { min, max } = flag;
    const value = /^-?\d+$/.test(given) ? Number(given) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw badUsage(written, `${written} takes a whole number from ${min} to ${max}, not '${given}'.`);
  }
  if (flag.kind === "choice" && !flag.choices.includes(given)) {
    const other = flag.means?.(given);
    if (other !== undefined && flag.choices.includes(other)) return other;
    throw badUsage(
      written,
      `${written} takes ${oneOf(flag.choices)}, not '${given}'.${didYouMean(given, flag.choices)}`,
    );
  }
  if (given.includes("\0")) throw badUsage(written, `${written} must not contain a NUL character.`);
  return given;
}

/** ` Did you mean 'json'?`, or nothing where no word is near. */
export function didYouMean(typed: string, words: Iterable<string>): string {
  const [meant] = suggestNames(typed, words, 1);
  return meant === undefined ? "" : ` Did you mean '${meant}'?`;
}

function oneOf(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join("") : `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
}

/** How help and errors show the value of a flag. */
export function flagValue(flag: Flag): string {
  if (flag.kind === "switch") return "";
  return flag.kind === "choice" ? flag.choices.join("|") : flag.value;
}

export function badUsage(flag: string, message: string): Refusal {
  return new Refusal(message, { code: "bad-usage", flag });
}
