import { DANGEROUS_KEYS } from "./fields.ts";
import type { PlainHead } from "./plain-head.ts";
import { CORE_WORDS } from "./read-plain.ts";

/**
 * Finds name and description where the front matter is written as nearly everyone writes it: these two first, then perhaps
 * some more, in ASCII. It says what `findPlainHead` would, or nothing, and is done before that has read its first line: a
 * regular expression is machine code from its second use on, and other code only after thousands. `text` is the start of the
 * file, a character for each byte.
 */
export function findUsualHead(text: string): PlainHead | undefined {
  const nameLine = endOf(NAME_LINE, text, 0);
  if (nameLine === -1) return undefined;
  const descriptionStart = nameLine + DESCRIPTION.length;
  const descriptionLine = endOf(DESCRIPTION_LINE, text, nameLine);
  if (descriptionLine === -1) return undefined;
  const end = endOf(REST, text, descriptionLine);
  if (end === -1 || hasTwice(text, descriptionLine, end - CLOSING.length)) return undefined;
  const quote = isQuoted(text, descriptionStart) ? 1 : 0;
  return {
    nameStart: OPENING.length,
    nameEnd: nameLine - 1,
    descriptionStart: descriptionStart + quote,
    descriptionEnd: descriptionLine - 1 - quote,
    isAscii: true,
  };
}

/** Where a match ends that begins here; -1 when none does. */
function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** Whether a key may be there twice. */
function hasTwice(text: string, start: number, end: number): boolean {
  return end > start && SAME_KEY.test(text.slice(start, end));
}

function isQuoted(text: string, at: number): boolean {
  return text[at] === '"' || text[at] === "'";
}

const OPENING = "---\nname: ";
const DESCRIPTION = "description: ";
const CLOSING = "---\n";

/** Words with single spaces between them. None ends with a colon or begins with a `#`, and nothing is escaped. */
const FIRST = String.raw`(?:[!"$-9;-[\]-~]|:(?=[!-~]))`;
const WORD_END = String.raw`(?:[!-9;-[\]-~]|:(?=[!-~]))*`;
const MORE_WORDS = `(?: ${FIRST}${WORD_END})`;
const DOUBLE_QUOTED = String.raw`"[!#-[\]-~]+(?: [!#-[\]-~]+)*"`;
const SINGLE_QUOTED = String.raw`'[!-&(-[\]-~]+(?: [!-&(-[\]-~]+)*'`;
const QUOTED = `${DOUBLE_QUOTED}|${SINGLE_QUOTED}`;
const VALUE = String.raw`(?:${QUOTED}|[A-Za-z]${WORD_END}${MORE_WORDS}*|\d+\.\d+\.\d+)`;
/** What is no key, or has a meaning of its own as one. */
const SPECIAL = ["name", "description", ...CORE_WORDS.keys(), ...DANGEROUS_KEYS].join("|");
const KEY = `(?!(?:${SPECIAL}):)[a-z][a-z-]{0,40}`;

const NAME_LINE = new RegExp(
  String.raw`${OPENING}(?!(?:${[...CORE_WORDS.keys()].join("|")})\n)[a-z][a-z0-9]*(?:-[a-z0-9]+)*\n`,
  "y",
);
const DESCRIPTION_LINE = new RegExp(
  String.raw`${DESCRIPTION}(?:${QUOTED}|[A-Za-z]${WORD_END}${MORE_WORDS}+)\n`,
  "y",
);
const REST = new RegExp(
  String.raw`(?:${KEY}:(?: ${VALUE}|(?:\n  ${KEY}: ${VALUE})+|(?:\n- ${VALUE})+|(?:\n  - ${VALUE})+)\n)*${CLOSING}`,
  "y",
);
/** At the start of two lines, with as much space before it. */
const SAME_KEY = /^( *[a-z-]+:)[^]*\n\1/m;
