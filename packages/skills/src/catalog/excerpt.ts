import { foldCase } from "./all-words.ts";

/** Part of a text on one line, and how many of the words it contains. */
export interface Excerpt {
  readonly text: string;
  readonly found: number;
}

/** Only this much of a text is looked at. */
const LOOKED_AT = 20_000;
/** More places would not show a better one. */
const MOST_PLACES = 400;

/**
 * The passage of at most `length` characters that contains most of the words, on one line. It begins and ends at words, and
 * with `…` where something is left out; the first of several that are as good.
 */
export function bestExcerpt(text: string, words: readonly string[], length: number): Excerpt {
  const line = onOneLine(text.slice(0, LOOKED_AT).normalize("NFC"));
  const folded = line.toLowerCase();
  // Folding may lengthen a character, as it does `İ`; then places are only near.
  const wanted = [...new Set(words.map(foldCase))].filter((word) => word !== "");
  const places = wanted.flatMap((word, number) => placesOf(folded, word, number)).sort((a, b) => a.at - b.at);
  const best = bestWindow(places, wanted.length, length);
  return { text: cutAt(line, best.from, length), found: best.found };
}

/** A single space, which most of the white space is, is left as it is: replacing it takes longer than everything else here. */
function onOneLine(text: string): string {
  return text.replace(/\s{2,}|[^\S ]/g, " ").trim();
}

/** Where the first of the passages begins that contain most of the words. */
function bestWindow(
  places: readonly WordHit[],
  words: number,
  length: number,
): { readonly from: number; readonly found: number } {
  /** By word: how often it is in the passage from the place under way to `end`. */
  const counts = new Uint16Array(words);
  let found = 0;
  let end = 0;
  let best = { from: 0, found: 0 };
  for (const [first, { at, word }] of places.entries()) {
    for (
      let next = places[end];
      next !== undefined && next.at + next.length <= at + length;
      next = places[++end]
    ) {
      const before = counts[next.word] as number;
      if (before === 0) found++;
      counts[next.word] = before + 1;
    }
    if (found > best.found) best = { from: at, found };
    if (end === first) {
      // The word is longer than a passage.
      end++;
      continue;
    }
    const left = (counts[word] as number) - 1;
    counts[word] = left;
    if (left === 0) found--;
  }
  return best;
}

interface WordHit {
  readonly at: number;
  readonly length: number;
  readonly word: number;
}

function placesOf(text: string, word: string, number: number): readonly WordHit[] {
  const places: WordHit[] = [];
  for (
    let at = text.indexOf(word);
    at !== -1 && places.length < MOST_PLACES;
    at = text.indexOf(word, at + 1)
  ) {
    if (isStart(text, at)) places.push({ at, length: word.length, word: number });
  }
  return places;
}

/** Whether a word begins here: anywhere in scripts without spaces. */
function isStart(text: string, at: number): boolean {
  return at === 0 || text.charCodeAt(at) > 0x2e7f || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1));
}

/** From the beginning of the sentence if it is near, else a few words before. */
function cutAt(line: string, from: number, length: number): string {
  if (line.length <= length) return line;
  const room = Math.floor(length / 4);
  let start = 0;
  if (from > room) {
    const before = line.slice(from - room, from);
    const sentence = Math.max(before.lastIndexOf(". "), before.lastIndexOf("# ")) + 2;
    const word = before.indexOf(" ") + 1;
    start = from - room + (sentence > 1 ? sentence : word === 0 ? room : word);
  }
  const most = length - 2;
  if (line.length - start <= most) return `…${line.slice(start)}`;
  let end = start + most;
  const space = line.lastIndexOf(" ", end);
  if (space > start + most / 2) end = space;
  else if (isHighSurrogate(line.charCodeAt(end - 1))) end--;
  return `${start === 0 ? "" : "…"}${line.slice(start, end).trimEnd()}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
