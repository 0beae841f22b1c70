import { escapeInvisibleCharacters } from "#util/pure";

/** The texts of one skill that are searched, each folded with `foldCase`. */
export interface FoldedTexts {
  /** The folder's name and the skill's own. */
  readonly names: string;
  readonly description: string;
  readonly body: string;
}

/** How much a word counts for the order of hits, by the first text that contains it. */
const WEIGHT = { names: 3, description: 2, body: 1 } as const;

/** Half of the text that an excerpt shows around a hit. */
const EXCERPT_SIDE = 80;

/** Lower case for every script, not for ASCII alone. */
export function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** The words of a query: folded, and split at ASCII white space. */
export function queryWords(query: string): readonly string[] {
  return foldCase(query)
    .split(/[\t\n\f\r ]+/)
    .filter((word) => word !== "");
}

/** Each word once, with how often it is there. */
export function countWords(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/**
 * The rule of the catalog tools: every word must be somewhere in the skill. Returns the weight that orders hits (all of them have
 * the same score, the number of words), or undefined when a word is missing.
 */
export function weighAllWords(texts: FoldedTexts, words: ReadonlyMap<string, number>): number | undefined {
  let weight = 0;
  for (const [word, count] of words) {
    if (texts.names.includes(word)) weight += count * WEIGHT.names;
    else if (texts.description.includes(word)) weight += count * WEIGHT.description;
    else if (texts.body.includes(word)) weight += count * WEIGHT.body;
    else return undefined;
  }
  return weight;
}

/** The text around the first word that a text contains, on one line; undefined when it contains none. */
export function excerptOf(whole: string, words: readonly string[]): string | undefined {
  const text = whole.normalize("NFC");
  const folded = text.toLowerCase();
  for (const word of words) {
    const found = folded.indexOf(word);
    if (found >= 0) return cutAround(text, unfoldedIndex(text, folded, found), word.length);
  }
  return undefined;
}

/** Where a place in the folded text is in the text: folding can lengthen a character, as it does `İ`. */
function unfoldedIndex(text: string, folded: string, foldedIndex: number): number {
  if (text.length === folded.length) return foldedIndex;
  let index = 0;
  let passed = 0;
  for (const character of text) {
    if (passed >= foldedIndex) break;
    passed += character.toLowerCase().length;
    index += character.length;
  }
  return index;
}

function cutAround(text: string, at: number, length: number): string {
  let start = Math.max(0, at - EXCERPT_SIDE);
  let end = Math.min(text.length, at + length + EXCERPT_SIDE);
  if (isLowSurrogate(text.charCodeAt(start))) start--;
  if (isLowSurrogate(text.charCodeAt(end))) end++;
  return escapeInvisibleCharacters(text.slice(start, end)).replace(/\s+/g, " ").trim();
}

/** The second half of a character that takes two units. */
function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
