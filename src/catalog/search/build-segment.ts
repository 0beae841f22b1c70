import { termsOfWord, wordsOf } from "./analyse.ts";
import {
  BODY,
  DESCRIPTION,
  EXAMPLES,
  FIELD_COUNT,
  FIELD_MOST,
  FIELD_SHIFT,
  KEYWORDS,
  NAME,
} from "./fields.ts";
import { growing8, growing16, growing32 } from "./growing-array.ts";
import { pairFilter, pairHash, termHash } from "./pair-filter.ts";
import type { SearchDocument } from "./search-document.ts";
import type { Segment } from "./segment.ts";
import { termTableOf } from "./term-table.ts";

/** The beginning of a body says what it is about; longer bodies would match everything. */
const BODY_CAP = 16_000;
const LONGEST_FIELD = 16_000;
const MOST_LENGTH = 0xffff;

interface KnownWord {
  readonly parts: readonly number[];
  /** The joined term of a word that has one, else its parts. */
  readonly whole: readonly number[];
}

/** Turns documents into a segment: words are analysed once, postings collected flat and sorted by term at the end. */
export function createSegmentBuilder(): { add(document: SearchDocument): void; finish(): Segment } {
  const ids: string[] = [];
  const terms = new Map<string, number>();
  const hashes: number[] = [];
  const known = new Map<string, KnownWord>();
  const lengths = Array.from({ length: FIELD_COUNT }, growing16);
  const postingTerms = growing32();
  const postingCounts = growing16();
  const postingEnds = growing32();
  const pairStarts = growing32();
  const pairs = growing8();
  // Of the document at hand: by term its packed counts, the terms that have any, and the hashes of its pairs.
  let counts = new Uint16Array(1024);
  const counted: number[] = [];
  const pairHashes: number[] = [];

  const termNumber = (term: string): number => {
    const number = terms.get(term) ?? terms.size;
    if (number === terms.size) {
      terms.set(term, number);
      hashes.push(termHash(term));
      if (number === counts.length) counts = enlarged(counts);
    }
    return number;
  };

  const knownWord = (word: string): KnownWord => {
    const found = known.get(word);
    if (found !== undefined) return found;
    const { parts, joined } = termsOfWord(word);
    const numbers = parts.map(termNumber);
    const entry = { parts: numbers, whole: joined === null ? numbers : [termNumber(joined)] };
    known.set(word, entry);
    return entry;
  };

  const count = (term: number, field: number): void => {
    const packed = counts[term] ?? 0;
    const shift = FIELD_SHIFT[field] ?? 0;
    const most = FIELD_MOST[field] ?? 0;
    if (packed === 0) counted.push(term);
    if (((packed >>> shift) & most) < most) counts[term] = packed + (1 << shift);
  };

  /** Answers how many terms the text holds. Phrases do not run from one text into the next. */
  const addText = (text: string, field: number): number => {
    let length = 0;
    // As far back as PAIR_WINDOW says, as plain numbers: this loop runs for every word of every body.
    let before = -1;
    let beforeThat = -1;
    for (const word of wordsOf(text)) {
      const { parts, whole } = knownWord(word);
      for (const term of parts) count(term, field);
      length += parts.length;
      // In phrases the whole stands for its parts.
      if (whole !== parts) for (const term of whole) count(term, field);
      for (const term of whole) {
        addPair(beforeThat, term);
        addPair(before, term);
        beforeThat = before;
        before = term;
      }
    }
    return length;
  };

  const addPair = (first: number, second: number): void => {
    if (first !== -1 && first !== second) pairHashes.push(pairHash(hashes[first] ?? 0, hashes[second] ?? 0));
  };

  const keepPairs = (): void => {
    pairs.pushAll(pairFilter(pairHashes));
    pairHashes.length = 0;
  };

  return {
    add({ id, name, description, keywords, examples, body }) {
      ids.push(id);
      pairStarts.push(pairs.length);
      const texts: readonly (readonly string[])[] = [[name], [description], keywords, examples];
      for (const field of [NAME, DESCRIPTION, KEYWORDS, EXAMPLES]) {
        let length = 0;
        for (const text of texts[field] ?? []) {
          length += addText(text.slice(0, LONGEST_FIELD), field);
        }
        lengths[field]?.push(Math.min(length, MOST_LENGTH));
      }
      keepPairs();
      pairStarts.push(pairs.length);
      lengths[BODY]?.push(addText(body.slice(0, BODY_CAP), BODY));
      keepPairs();
      for (const term of counted) {
        postingTerms.push(term);
        postingCounts.push(counts[term] ?? 0);
        counts[term] = 0;
      }
      counted.length = 0;
      postingEnds.push(postingTerms.length);
    },
    finish() {
      pairStarts.push(pairs.length);
      const sorted = [...terms.keys()].sort(byCodeUnits);
      const rank = new Uint32Array(sorted.length);
      for (const [position, term] of sorted.entries()) rank[terms.get(term) ?? 0] = position;
      return {
        ids,
        lengths: lengths.map((values) => values.finish()),
        terms: termTableOf(sorted),
        ...sortPostings(postingTerms.finish(), postingCounts.finish(), postingEnds.finish(), rank),
        pairStarts: pairStarts.finish(),
        pairs: pairs.finish(),
      };
    },
  };
}

function enlarged(values: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(values.length * 2);
  larger.set(values);
  return larger;
}

/** By code units and not by locale: the order must be the same on every machine. */
function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A counting sort by term: documents come in rising order, and stay so within each term. */
function sortPostings(
  terms: Uint32Array,
  counts: Uint16Array,
  ends: Uint32Array,
  rank: Uint32Array,
): Pick<Segment, "postingStarts" | "postingDocs" | "postingCounts"> {
  const postingStarts = new Uint32Array(rank.length + 1);
  for (const term of terms) {
    const slot = (rank[term] ?? 0) + 1;
    postingStarts[slot] = (postingStarts[slot] ?? 0) + 1;
  }
  for (let slot = 1; slot < postingStarts.length; slot++) {
    postingStarts[slot] = (postingStarts[slot] ?? 0) + (postingStarts[slot - 1] ?? 0);
  }
  const next = postingStarts.slice();
  const postingDocs = new Uint32Array(terms.length);
  const postingCounts = new Uint16Array(terms.length);
  let doc = 0;
  for (let index = 0; index < terms.length; index++) {
    while (index >= (ends[doc] ?? 0)) doc++;
    const slot = rank[terms[index] ?? 0] ?? 0;
    const at = next[slot] ?? 0;
    next[slot] = at + 1;
    postingDocs[at] = doc;
    postingCounts[at] = counts[index] ?? 0;
  }
  return { postingStarts, postingDocs, postingCounts };
}
