import { isRecord } from "#util/pure";
import { collapseWhiteSpace } from "./front-matter/key-lines.ts";

/** A value that a skill wants to be given, by its place. */
export interface SkillArgument {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** A front matter field as its author wrote it. */
export interface Written {
  readonly key: string;
  readonly value: unknown;
}

/** Reports what is wrong with a field. */
export type Warn = (key: string, sentence: string) => void;

/** More than anyone types after a slash command. */
const MOST_ARGUMENTS = 20;
const NAME = /^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u;

/** `issue branch`, `[issue, branch]`, or a list of maps with `name` and `description`. */
export function readArguments(
  written: Written | undefined,
  warn: Warn,
): readonly SkillArgument[] | undefined {
  if (written === undefined || written.value === null) return undefined;
  const { key, value } = written;
  const items: readonly unknown[] =
    typeof value === "string"
      ? value.split(/[\s,]+/).filter(Boolean)
      : Array.isArray(value)
        ? value
        : [value];
  const found = new Map<string, SkillArgument>();
  for (const item of items) {
    const argument = argumentOf(item);
    if (argument === undefined || found.has(argument.name) || found.size === MOST_ARGUMENTS) {
      warn(
        key,
        `\`${key}\` must be at most ${MOST_ARGUMENTS} different names of letters, digits, '-' and '_'; the others were ignored. Write \`${key}: [first, second]\`.`,
      );
      break;
    }
    found.set(argument.name, argument);
  }
  return found.size === 0 ? undefined : [...found.values()];
}

function argumentOf(item: unknown): SkillArgument | undefined {
  if (typeof item === "string") return isName(item) ? { name: item } : undefined;
  if (!isRecord(item)) return undefined;
  const { name, description, required } = item;
  if (typeof name !== "string" || !isName(name)) return undefined;
  return {
    name,
    ...(typeof description === "string" ? { description: collapseWhiteSpace(description) } : {}),
    ...(typeof required === "boolean" ? { required } : {}),
  };
}

function isName(text: string): boolean {
  return NAME.test(text) && text !== WHOLE;
}

/** `[issue-number]` is a list to YAML and a hint to its author. */
export function readHint(written: Written | undefined, warn: Warn): string | undefined {
  if (written === undefined || written.value === null) return undefined;
  const { key, value } = written;
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (parts.some((part) => typeof part === "object")) {
    warn(key, `\`${key}\` must be text and was ignored. Put the value in double quotes.`);
    return undefined;
  }
  const text = parts.map((part) => (Array.isArray(value) ? `[${String(part)}]` : String(part))).join(" ");
  return collapseWhiteSpace(text) || undefined;
}

/** The argument of a skill that takes any text. */
export const FREE_TEXT = "task";

interface Wanted {
  readonly arguments?: readonly SkillArgument[];
  readonly argumentHint?: string;
}

/**
 * What a client should ask for. Claude Code gives each declared argument one word, so a skill that wants none declares none:
 * then all that was typed reaches the model.
 */
export function promptArguments({
  arguments: declared,
  argumentHint,
}: Wanted = {}): readonly SkillArgument[] {
  if (declared !== undefined) {
    return declared.map((argument) =>
      argument.description === undefined && argumentHint !== undefined
        ? { ...argument, description: argumentHint }
        : argument,
    );
  }
  if (argumentHint === undefined) return [];
  return argumentsInHint(argumentHint) ?? [{ name: FREE_TEXT, description: argumentHint }];
}

/** `[file] <format>` names two; undefined for a hint in other words. */
function argumentsInHint(hint: string): readonly SkillArgument[] | undefined {
  if (!BRACKETED.test(hint)) return undefined;
  const found = [...hint.matchAll(/[[<]([^\][<>]*)[\]>]/g)].map(([whole, inner = ""]): SkillArgument => {
    return { name: inner.trim(), description: hint, required: whole.startsWith("<") };
  });
  const names = new Set(found.map(({ name }) => name));
  const isList = names.size === found.length && found.length <= MOST_ARGUMENTS;
  return isList && [...names].every(isName) ? found : undefined;
}

const BRACKETED = /^(?:(?:\[[^\][<>]{1,80}\]|<[^\][<>]{1,80}>) ?){1,40}$/;

/** What was typed for a skill. */
export interface GivenArguments {
  /** Everything that was typed, as one text. */
  readonly whole: string;
  /** The words by position; undefined where nothing was given. */
  readonly words: readonly (string | undefined)[];
  /** The values of declared arguments, by name. */
  readonly named: ReadonlyMap<string, string>;
}

/** Puts the values that a client sent in order. `FREE_TEXT` stands for all of them. */
export function givenArguments(
  wanted: readonly SkillArgument[],
  values: Readonly<Record<string, string>>,
): GivenArguments {
  const free = wanted.some(({ name }) => name === FREE_TEXT) ? undefined : values[FREE_TEXT];
  const inOrder = wanted.map(({ name }) => values[name]);
  const text = free ?? inOrder.filter((value) => value !== undefined && value !== "").join(" ");
  const whole = text.trim();
  // One text is several words; of several arguments each is one.
  const words = free !== undefined || wanted.length <= 1 ? splitWords(whole) : inOrder;
  const named = new Map(
    wanted.map(
      ({ name }, place) => [name, (free === undefined ? values[name] : words[place]) ?? ""] as const,
    ),
  );
  return { whole, words, named };
}

/** As a shell does: quotes keep words together. A quote that is never closed is a character like any other. */
export function splitWords(text: string): readonly string[] {
  return [...text.matchAll(/(?:"[^"]*"|'[^']*'|\S)+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ""),
  );
}

const WHOLE = "ARGUMENTS";

export interface Substituted {
  readonly text: string;
  /** Whether the text wanted any of it; otherwise it has to be said elsewhere. */
  readonly used: boolean;
}

/**
 * Puts what was given in the place of `$ARGUMENTS`, `$ARGUMENTS[0]`, `$0` and the names that `declared` lists. A place for
 * which nothing was given stays as it is, a name becomes empty; `\$1` is no place. `$1` is the second word where the text also
 * has a `$0`, as in skills of Claude Code, and the first where it has none, as in prompts of Codex.
 */
export function substituteArguments(
  text: string,
  given: GivenArguments,
  declared: readonly string[],
): Substituted {
  let used = false;
  const first = /(?<!\\)\$0(?!\w)/.test(text) ? 0 : 1;
  const value = (token: string, index: string | undefined, digit: string | undefined): string | undefined => {
    if (index !== undefined) return given.words[Number(index)];
    if (digit !== undefined) return given.words[Number(digit) - first];
    return token === WHOLE ? given.whole : given.named.get(token);
  };
  const replaced = text.replace(
    placesOf(declared),
    (match: string, slash: string, token: string, index?: string, digit?: string, offset = 0) => {
      if (slash !== "" && text[offset - 1] !== "\\") return `$${token}`;
      const found = value(token, index, digit);
      if (found === undefined) return match;
      used = true;
      return slash + found;
    },
  );
  return { text: replaced, used };
}

function placesOf(declared: readonly string[]): RegExp {
  // A name ends where no character of a name follows: of `$issue` and `$issue-id` the text means the one that it spells out.
  const names = declared.map((name) => `${name}(?![\\p{L}\\p{N}_-])`);
  const tokens = [`${WHOLE}\\[(\\d{1,3})\\]`, `${WHOLE}(?![\\w[])`, "(\\d)(?!\\w)", ...names];
  return new RegExp(`(\\\\?)\\$(${tokens.join("|")})`, "gu");
}
