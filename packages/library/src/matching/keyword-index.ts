import type { LibrarySkill } from "#skills";
import { compareText } from "#util/pure";
import { type ContextWords, foldWord, hasPunctuation, isRawWord, isShort } from "./tokenize.ts";

/** The keywords of a library, arranged so that a question touches only the ones that its words could match. */
export interface KeywordIndex {
  /** In the order of their paths. */
  readonly skills: readonly IndexedSkill[];
  /** Each different keyword once, folded; its place here is its number. */
  readonly keywords: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
  /** By keyword: the places of the skills that list it, once for each time that they do. */
  readonly holders: readonly (readonly number[])[];
  /** By three units of text: the keywords that hold them anywhere. Short keywords are in neither of these two. */
  readonly containing: ReadonlyMap<string, readonly number[]>;
  /** By three units of text: how long the keywords are that begin with them, shortest first. */
  readonly beginning: ReadonlyMap<string, readonly number[]>;
  readonly longest: number;
  /** By the first unit of keywords with punctuation: how long they are. */
  readonly punctuated: ReadonlyMap<string, ReadonlySet<number>>;
}

interface IndexedSkill {
  readonly skill: LibrarySkill;
  /** The numbers of its keywords, as they are listed. */
  readonly keywords: readonly number[];
}

/** Every keyword that can be found inside of a word has at least this many units, and so does every such word. */
const PART = 3;

export function createKeywordIndex(skills: Iterable<LibrarySkill>): KeywordIndex {
  const numbers = new Map<string, number>();
  const holders: number[][] = [];
  const indexed: IndexedSkill[] = [];
  for (const skill of [...skills].sort((a, b) => compareText(a.path, b.path))) {
    const place = indexed.length;
    const keywords = skill.keywords.map((listed) => {
      const keyword = foldWord(listed);
      const number = numbers.get(keyword) ?? holders.push([]) - 1;
      numbers.set(keyword, number);
      holders[number]?.push(place);
      return number;
    });
    indexed.push({ skill, keywords });
  }
  const keywords = [...numbers.keys()];
  const punctuated = lengthsOf(keywords.filter(hasPunctuation));
  return { skills: indexed, keywords, numbers, holders, ...indexParts(keywords), punctuated };
}

function lengthsOf(keywords: readonly string[]): KeywordIndex["punctuated"] {
  const lengths = new Map<string, Set<number>>();
  for (const keyword of keywords)
    getOrAdd(lengths, keyword.charAt(0), () => new Set<number>()).add(keyword.length);
  return lengths;
}

function indexParts(keywords: readonly string[]): Pick<KeywordIndex, "containing" | "beginning" | "longest"> {
  const containing = new Map<string, number[]>();
  const lengths = new Map<string, Set<number>>();
  let longest = 0;
  for (const [number, keyword] of keywords.entries()) {
    if (isShort(keyword)) continue;
    longest = Math.max(longest, keyword.length);
    getOrAdd(lengths, keyword.slice(0, PART), () => new Set<number>()).add(keyword.length);
    for (let start = 0; start + PART <= keyword.length; start++) {
      const holding = getOrAdd(containing, keyword.slice(start, start + PART), () => []);
      if (holding.at(-1) !== number) holding.push(number);
    }
  }
  const beginning = new Map<string, readonly number[]>();
  for (const [part, found] of lengths)
    beginning.set(
      part,
      [...found].sort((a, b) => a - b),
    );
  return { containing, beginning, longest };
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}

/**
 * By keyword: 1 where it has punctuation and is a word of the context as it was written, or where a token equals it, contains it
 * or is contained in it, the last two only between long ones.
 */
export function matchKeywords(index: KeywordIndex, { tokens, raw }: ContextWords): Uint8Array {
  const matched = new Uint8Array(index.keywords.length);
  if (index.punctuated.size > 0) markRaw(index, raw, matched);
  for (const token of new Set(tokens)) {
    const equal = index.numbers.get(token);
    if (equal !== undefined) matched[equal] = 1;
    if (isShort(token)) continue;
    markInside(index, token, matched);
    markAround(index, token, matched);
  }
  return matched;
}

/** The keywords with punctuation that are words of a text: looks up its parts of a length that occurs. */
function markRaw({ numbers, keywords, punctuated }: KeywordIndex, raw: string, matched: Uint8Array): void {
  for (let start = 0; start < raw.length; start++) {
    for (const length of punctuated.get(raw.charAt(start)) ?? []) {
      const number = numbers.get(raw.slice(start, start + length));
      if (number === undefined || matched[number] === 1) continue;
      if (hasPunctuation(keywords[number] ?? "") && isRawWord(raw, start, start + length))
        matched[number] = 1;
    }
  }
}

/** The keywords inside a token: looks up its parts, and only those of a length that occurs. */
function markInside({ numbers, beginning }: KeywordIndex, token: string, matched: Uint8Array): void {
  for (let start = 0; start + PART <= token.length; start++) {
    for (const length of beginning.get(token.slice(start, start + PART)) ?? []) {
      if (start + length > token.length) break;
      const part = token.slice(start, start + length);
      const number = numbers.get(part);
      // A short keyword may have as many units as a long one, when its characters take two each.
      if (number !== undefined && !isShort(part)) matched[number] = 1;
    }
  }
}

/** The keywords that hold a token: tries those that hold the rarest three units of it. */
function markAround(
  { keywords, containing, longest }: KeywordIndex,
  token: string,
  matched: Uint8Array,
): void {
  // A keyword of the same length is the token itself.
  if (token.length >= longest) return;
  let rarest: readonly number[] | undefined;
  for (let start = 0; start + PART <= token.length; start++) {
    const holding = containing.get(token.slice(start, start + PART));
    if (holding === undefined) return;
    if (rarest === undefined || holding.length < rarest.length) rarest = holding;
  }
  for (const number of rarest ?? []) {
    if (matched[number] === 0 && keywords[number]?.includes(token)) matched[number] = 1;
  }
}
