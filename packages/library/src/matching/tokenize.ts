import { CONTEXT_STOP_WORDS } from "./stop-words.ts";

/**
 * A context describes a task. A longer one, or one with more different words, is a pasted file that would match
 * everything; what it begins with is what counts.
 */
const LONGEST_CONTEXT = 100_000;
const MOST_TOKENS = 1_000;

/** Everything between white space, punctuation and symbols; a hyphen belongs to its word, an accent to its letter. */
const WORD = /(?:-|[^\s\p{P}\p{S}\p{Cc}])+/gu;
/** Without one, it is a dash, or what is left of an emoji. */
const LETTER_OR_NUMBER = /[\p{L}\p{N}]/u;
const LETTER = /\p{L}/u;

const APOSTROPHES: ReadonlySet<string> = new Set(["'", "’"]);
/** `l'`, `d'`, `qu'` before a French word; `'s`, `'ll` after an English one. Elsewhere `c` and `d` are languages. */
const ELIDED: ReadonlySet<string> = new Set(["c", "d", "j", "l", "m", "n", "s", "t", "qu"]);
const CONTRACTED: ReadonlySet<string> = new Set(["d", "ll", "m", "re", "s", "t", "ve"]);

/** A context as keywords are compared with it. */
export interface ContextWords {
  /** Its words without punctuation: each once, in order, folded. */
  readonly tokens: readonly string[];
  /** Its text as it was written, folded, for keywords with punctuation. */
  readonly raw: string;
}

export function tokenize(context: string): ContextWords {
  const text = foldWord(context.slice(0, LONGEST_CONTEXT));
  const tokens = new Set<string>();
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (CONTEXT_STOP_WORDS.has(word) || !LETTER_OR_NUMBER.test(word) || isElision(text, word, index))
      continue;
    tokens.add(word);
    if (tokens.size === MOST_TOKENS) return { tokens: [...tokens], raw: text.slice(0, index + word.length) };
  }
  return { tokens: [...tokens], raw: text };
}

const PUNCTUATION = /(?!-)[\p{P}\p{S}]/u;
const PART_OF_WORD = /[\p{L}\p{N}\p{M}]/u;

/** Whether a folded keyword, such as `c++` or `ci/cd`, differs from every token because of its punctuation. */
export function hasPunctuation(keyword: string): boolean {
  return PUNCTUATION.test(keyword) && LETTER_OR_NUMBER.test(keyword);
}

/**
 * Whether a part of a text is a word by itself: of whole characters, not next to a letter or a number, and not a piece of a
 * longer run of the same sign, as `c+` is in `c++`.
 */
export function isRawWord(text: string, start: number, end: number): boolean {
  if (isInsidePair(text, start) || isInsidePair(text, end)) return false;
  const [before, after] = [characterBefore(text, start), characterAt(text, end)];
  if (PART_OF_WORD.test(before) || PART_OF_WORD.test(after)) return false;
  return before !== characterAt(text, start) && after !== characterBefore(text, end);
}

const characterAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0);

function characterBefore(text: string, at: number): string {
  return at === 0 ? "\0" : characterAt(text, at - (isInsidePair(text, at - 1) ? 2 : 1));
}

/** Whether a place in a text is between the two units of one character. */
function isInsidePair(text: string, at: number): boolean {
  return /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1));
}

function isElision(text: string, word: string, index: number): boolean {
  const end = index + word.length;
  const follows = APOSTROPHES.has(text.charAt(index - 1));
  const precedes = APOSTROPHES.has(text.charAt(end));
  if (follows === precedes) return false;
  if (precedes) return ELIDED.has(word) && LETTER.test(text.charAt(end + 1));
  return CONTRACTED.has(word) && LETTER.test(text.charAt(index - 2));
}

/**
 * The form in which keywords and the words of a context are compared: Unicode lower case, and one spelling for a
 * letter with an accent. Lower case comes first, because it can make letters that compose (`J` and a caron do not).
 */
export function foldWord(text: string): string {
  return text.toLowerCase().normalize("NFC");
}

const SHORTEST_PART = 3;

/** Too short to be found inside of another word: `go` says nothing about `golang`. Counts characters, not units. */
export function isShort(word: string): boolean {
  return word.length < 2 * SHORTEST_PART && Array.from(word).length < SHORTEST_PART;
}
