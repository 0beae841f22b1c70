import { suggestNames } from "../catalog/suggest.ts";
import { Refusal } from "../skill/refusal.ts";

/** One flag of a command. `value` is how help names what follows it. */
export type Flag =
  | { readonly kind: "switch"; readonly help: string }
  | { readonly kind: "text"; readonly value: string; readonly help: string }
  | { readonly kind: "list"; readonly value: string; readonly help: string }
  | {
      readonly kind: "number";
      readonly value: string;
      readonly min: number;
      readonly max: number;
      readonly help: string;
    }
  | { readonly kind: "choice"; readonly choices: readonly string[]; readonly help: string };

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

export interface ParsedArguments<T extends Flags> {
  readonly flags: FlagValues<T>;
  readonly positionals: readonly string[];
}

/** Reads a command's arguments. Anything it does not understand is a `Refusal` of one line. */
export function parseFlags<T extends Flags>(args: readonly string[], flags: T): ParsedArguments<T> {
  const values = new Map<string, unknown>();
  const positionals: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (arg === "--") {
      positionals.push(...args.slice(index + 1));
      break;
    }
    if (!arg.startsWith("-") || arg === "-") {
      positionals.push(arg);
      continue;
    }
    const equals = arg.indexOf("=");
    const written = equals < 0 ? arg : arg.slice(0, equals);
    const flag = lookUpFlag(written, flags);
    if (flag.kind === "switch") {
      if (equals >= 0) throw badUsage(written, `${written} takes no value.`);
      values.set(written, true);
      continue;
    }
    const given = equals < 0 ? args[++index] : arg.slice(equals + 1);
    const value = readValue(written, flag, given, equals < 0);
    const list = flag.kind === "list" ? (values.get(written) as string[] | undefined) : undefined;
    values.set(written, flag.kind === "list" ? [...(list ?? []), value] : value);
  }
  const read = Object.entries(flags).map(([name, flag]) => {
    const fallback = flag.kind === "switch" ? false : flag.kind === "list" ? [] : undefined;
    return [name, values.get(`--${name}`) ?? fallback] as const;
  });
  return { flags: Object.fromEntries(read) as FlagValues<T>, positionals };
}

function lookUpFlag(written: string, flags: Flags): Flag {
  const flag =
    written.startsWith("--") && Object.hasOwn(flags, written.slice(2)) ? flags[written.slice(2)] : undefined;
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
    throw badUsage(written, `${written} needs a value: ${written} ${valueOf(flag)}.`);
  }
  if (flag.kind === "number") return readNumber(written, flag, given);
  if (flag.kind === "choice" && !flag.choices.includes(given)) {
    throw badUsage(written, `${written} takes ${flag.choices.join(" or ")}, not '${given}'.`);
  }
  if (given.includes("\0")) throw badUsage(written, `${written} may not hold a NUL character.`);
  return given;
}

function readNumber(
  written: string,
  { min, max }: { readonly min: number; readonly max: number },
  given: string,
): number {
  const value = /^-?\d+$/.test(given) ? Number(given) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw badUsage(written, `${written} takes a whole number from ${min} to ${max}, not '${given}'.`);
}

/** For commands that take flags alone. */
export function refusePositionals(command: string, positionals: readonly string[]): void {
  const [extra] = positionals;
  if (extra !== undefined) throw badUsage(extra, `${command} takes no arguments, but got '${extra}'.`);
}

/** How help and errors name the value of a flag. */
export function valueOf(flag: Flag): string {
  if (flag.kind === "switch") return "";
  return flag.kind === "choice" ? flag.choices.join("|") : flag.value;
}

export function badUsage(flag: string, message: string): Refusal {
  return new Refusal(message, { code: "bad-usage", flag });
}
