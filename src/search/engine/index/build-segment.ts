import { eachSlice, MOST_PER_STEP, type Steps } from "../../../catalog/steps.ts";
import { LONGEST_TERM, termsOfWord } from "../words/analyse.ts";
import { scanWords } from "../words/scan-words.ts";
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
import { createPairCollector } from "./pair-collector.ts";
import { termHash } from "./pair-filter.ts";
import type { SearchDocument } from "./search-document.ts";
import type { Segment } from "./segment.ts";
import { sortPostings } from "./sort-postings.ts";
import { sortTerms } from "./sort-terms.ts";
import { termTableOf } from "./term-table.ts";
import { createWordTable } from "./word-table.ts";

/** The beginning of a body says what it is about; longer bodies would match everything. */
const BODY_CAP = 16_000;
const LONGEST_FIELD = 16_000;
const MOST_LENGTH = 0xffff;

/** A word that is new has to be analysed, which takes a microsecond or two. */
const UNITS_PER_TERM = 16;
const TERMS_AT_ONCE = MOST_PER_STEP / UNITS_PER_TERM;

/** What a word stands for that is not one term. */
interface SplitWord {
  readonly parts: readonly number[];
  /** The joined term of a word that has one, else its parts. */
  readonly whole: readonly number[];
}

export interface SegmentBuilder {
  add(document: SearchDocument): Steps<void>;
  finish(): Steps<Segment>;
}

/** Turns documents into a segment: words are analysed once, postings collected flat and sorted by term at the end. */
export function createSegmentBuilder(): SegmentBuilder {
  const ids: string[] = [];
  const terms: string[] = [];
  const termNumbers = createWordTable();
  const hashes: number[] = [];
  const words = createWordTable();
  /** By word: the number of its only term, or -1 less its place in `splitWords`. */
  const meanings: number[] = [];
  const splitWords: SplitWord[] = [];
  const lengths = Array.from({ length: FIELD_COUNT }, growing16);
  const postingTerms = growing32();
  const postingCounts = growing16();
  const postingEnds = growing32();
  const pairStarts = growing32();
  const pairs = growing8();
  // Of the text at hand: its code units and where its words lie.
  let units = new Uint16Array(1024);
  let bounds = new Uint32Array(2048);
  const letters = new Uint16Array(LONGEST_TERM);
  // Of the words read so far: how many terms, and the last ones, as far back as PAIR_WINDOW says.
  let phrase = { length: 0, before: -1, beforeThat: -1 };
  // Of the document at hand: by term its packed counts, the terms that have any, and the pairs of a part of it.
  let counts = new Uint16Array(1024);
  const counted: number[] = [];
  const collected = createPairCollector();

  const termNumber = (term: string): number => {
    for (let at = 0; at < term.length; at++) letters[at] = term.charCodeAt(at);
    const number = termNumbers.numberOf(letters, 0, term.length);
    if (number === terms.length) {
      // A copy: a long piece of a string keeps the whole text alive.
      terms.push(String.fromCharCode(...letters.subarray(0, term.length)));
      hashes.push(termHash(term));
      if (number === counts.length) counts = enlarged(counts);
    }
    return number;
  };

  const meaningOf = (word: string): number => {
    const { parts, joined } = termsOfWord(word);
    const numbers = parts.map(termNumber);
    const [only] = numbers;
    if (joined === null && only !== undefined && numbers.length === 1) return only;
    splitWords.push({ parts: numbers, whole: joined === null ? numbers : [termNumber(joined)] });
    return -splitWords.length;
  };

  const count = (term: number, shift: number, most: number): void => {
    const packed = counts[term] as number;
    if (packed === 0) counted.push(term);
    if (((packed >>> shift) & most) < most) counts[term] = packed + (1 << shift);
  };

  const readUnits = (text: string): void => {
    if (text.length > units.length) {
      units = new Uint16Array(text.length);
      bounds = new Uint32Array(2 * text.length);
    }
    for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  };

  /** Adds words from `from` on until a step is full, and answers where it stopped. */
  const addWords = (text: string, from: number, found: number, field: number): number => {
    const shift = FIELD_SHIFT[field] ?? 0;
    const most = FIELD_MOST[field] ?? 0;
    // As plain numbers: this loop runs for every word of every body.
    let { length, before, beforeThat } = phrase;
    const full = length + TERMS_AT_ONCE;
    let index = from;
    for (; index < found && length < full; index++) {
      const start = bounds[2 * index] as number;
      const end = bounds[2 * index + 1] as number;
      const word = words.numberOf(units, start, end);
      if (word === meanings.length) meanings.push(meaningOf(text.slice(start, end)));
      const meaning = meanings[word] as number;
      if (meaning >= 0) {
        count(meaning, shift, most);
        length++;
        addPair(beforeThat, meaning);
        addPair(before, meaning);
        beforeThat = before;
        before = meaning;
        continue;
      }
      const { parts, whole } = splitWords[-1 - meaning] as SplitWord;
      for (const term of parts) count(term, shift, most);
      length += parts.length;
      // In phrases the whole stands for its parts.
      if (whole !== parts) for (const term of whole) count(term, shift, most);
      for (const term of whole) {
        addPair(beforeThat, term);
        addPair(before, term);
        beforeThat = before;
        before = term;
      }
    }
    phrase = { length, before, beforeThat };
    return index;
  };

  /** Answers how many terms the text holds. Phrases do not run from one text into the next. */
  function* addText(text: string, field: number): Steps<number> {
    readUnits(text);
    const found = scanWords(text, units, bounds);
    phrase = { length: 0, before: -1, beforeThat: -1 };
    for (let index = 0; index < found; ) {
      index = addWords(text, index, found, field);
      yield UNITS_PER_TERM * TERMS_AT_ONCE;
    }
    return phrase.length;
  }

  const addPair = (first: number, second: number): void => {
    if (first !== -1 && first !== second) collected.add(hashes[first] as number, hashes[second] as number);
  };

  return {
    *add({ id, name, description, keywords, examples, body }) {
      ids.push(id);
      pairStarts.push(pairs.length);
      const texts: readonly (readonly string[])[] = [[name], [description], keywords, examples];
      for (const field of [NAME, DESCRIPTION, KEYWORDS, EXAMPLES]) {
        let length = 0;
        for (const text of texts[field] ?? []) {
          length += yield* addText(text.slice(0, LONGEST_FIELD), field);
        }
        lengths[field]?.push(Math.min(length, MOST_LENGTH));
      }
      pairs.pushAll(collected.take());
      pairStarts.push(pairs.length);
      lengths[BODY]?.push(yield* addText(body.slice(0, BODY_CAP), BODY));
      pairs.pushAll(collected.take());
      for (const term of counted) {
        postingTerms.push(term);
        postingCounts.push(counts[term] as number);
        counts[term] = 0;
      }
      counted.length = 0;
      postingEnds.push(postingTerms.length);
    },
    *finish() {
      pairStarts.push(pairs.length);
      const order = yield* sortTerms(terms);
      const rank = new Uint32Array(order.length);
      yield* eachSlice(order.length, (from, to) => {
        for (let position = from; position < to; position++) rank[order[position] as number] = position;
      });
      const finishedLengths: Uint16Array[] = [];
      for (const values of lengths) finishedLengths.push(yield* values.finish());
      return {
        ids,
        lengths: finishedLengths,
        terms: yield* termTableOf(order.length, (position) => terms[order[position] as number] ?? ""),
        ...(yield* sortPostings({
          terms: yield* postingTerms.finish(),
          counts: yield* postingCounts.finish(),
          ends: yield* postingEnds.finish(),
          rank,
        })),
        pairStarts: yield* pairStarts.finish(),
        pairs: yield* pairs.finish(),
      };
    },
  };
}

function enlarged(values: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(values.length * 2);
  larger.set(values);
  return larger;
}
