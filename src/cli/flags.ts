import { parseArgs } from "node:util";
import { suggestNames } from "../catalog/suggest.ts";
import { Refusal } from "../skill/refusal.ts";

type NumberFlag = Readonly<{ kind: "number"; value: string; min: number; max: number; help: string }>;
type ChoiceFlag<C extends string> = Readonly<{ kind: "choice"; choices: readonly C[]; help: string }>;

/** One flag of a command. `value` is how help and errors show its value. */
export type Flag =
  | Readonly<{ kind: "switch"; help: string; short?: string }>
  | Readonly<{ kind: "text" | "list"; value: string; help: string }>
  | NumberFlag
  | ChoiceFlag<string>;

export const flag = {
  /** `short` is one letter, for a flag that people know as `-g`. */
  switch: (help: string, short?: string) =>
    ({ kind: "switch", help, ...(short === undefined ? {} : { short }) }) as const,
  text: (value: string, help: string) => ({ kind: "text", value, help }) as const,
  list: (value: string, help: string) => ({ kind: "list", value, help }) as const,
  number: (value: string, [min, max]: readonly [number, number], help: string): NumberFlag => {
    return { kind: "number", value, min, max, help };
  },
  choice: <const C extends string>(choices: readonly C[], help: string): ChoiceFlag<C> => {
    return { kind: "choice", choices, help };
  },
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

/** Reads a command's arguments. Anything it does not understand is a `Refusal` of one line. */
export function parseFlags<T extends Flags>(
  args: readonly string[],
  flags: T,
): { readonly flags: FlagValues<T>; readonly positionals: readonly string[] } {
  const values = new Map<string, unknown>();
  const positionals: string[] = [];
  for (const token of tokensOf(args, flags)) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") {
      positionals.push(token.value);
      continue;
    }
    // As it was typed: `-abc` is one unknown flag, not three.
    const [written = ""] = (args[token.index] ?? "").split("=", 1);
    const flag = lookUpFlag(written, flags);
    if (flag.kind === "switch") {
      if (token.value !== undefined) throw badUsage(written, `${written} takes no value.`);
      values.set(token.name, true);
      continue;
    }
    const value = readValue(written, flag, token.value, token.inlineValue !== true);
    const list = flag.kind === "list" ? (values.get(token.name) as string[] | undefined) : undefined;
    values.set(token.name, flag.kind === "list" ? [...(list ?? []), value] : value);
  }
  const read = Object.entries(flags).map(([name, flag]) => {
    const fallback = flag.kind === "switch" ? false : flag.kind === "list" ? [] : undefined;
    return [name, values.get(name) ?? fallback] as const;
  });
  return { flags: Object.fromEntries(read) as FlagValues<T>, positionals };
}

/** Not strict: the errors of parseArgs have several lines and no suggestions. */
function tokensOf(args: readonly string[], flags: Flags) {
  const options = Object.entries(flags).map(([name, each]) => {
    const short = shortOf(each);
    const type = each.kind === "switch" ? "boolean" : "string";
    return [name, { type, ...(short === undefined ? {} : { short }) }] as const;
  });
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(options),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  return tokens;
}

function shortOf(each: Flag): string | undefined {
  return each.kind === "switch" ? each.short : undefined;
}

function lookUpFlag(written: string, flags: Flags): Flag {
  const flag = written.startsWith("--")
    ? Object.hasOwn(flags, written.slice(2))
      ? flags[written.slice(2)]
      : undefined
    : Object.values(flags).find((each) => written === `-${shortOf(each)}`);
  if (flag !== undefined) return flag;
  // Every command has help, though none lists it.
  const [meant] = suggestNames(written.replace(/^-+/, ""), [...Object.keys(flags), "help"], 1);
  throw badUsage(
    written,
    `Unknown flag '${written}'.${meant === undefined ? "" : ` Did you mean --${meant}?`}`,
  );
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
    throw badUsage(written, `${written} takes ${oneOf(flag.choices)}, not '${given}'.`);
  }
  if (given.includes("\0")) throw badUsage(written, `${written} must not contain a NUL character.`);
  return given;
}

function oneOf(choices: readonly string[]): string {
  return `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
}

/** How help and errors show the value of a flag. */
export function flagValue(flag: Flag): string {
  if (flag.kind === "switch") return "";
  return flag.kind === "choice" ? flag.choices.join("|") : flag.value;
}

export function badUsage(flag: string, message: string): Refusal {
  return new Refusal(message, { code: "bad-usage", flag });
}
