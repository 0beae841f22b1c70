import { createDocumentMeaning, type DocumentMeaning } from "../meaning/document-meaning.ts";
import { passagesOf } from "../meaning/passages.ts";
import type { WordTable } from "../meaning/word-table.ts";
import type { Steps } from "../steps.ts";
import { termsOfWord } from "../words/analyse.ts";
import { BODY, DESCRIPTION, EXAMPLES, KEYWORDS, NAME, withOccurrence } from "./fields.ts";
import { pairFilter, pairHash, termHash } from "./pair-filter.ts";
import type { SearchDocument } from "./search-document.ts";
import type { Segment } from "./segment.ts";
import { createSegmentWriter, type SegmentWriter } from "./segment-writer.ts";
import { type Characters, noCharacters, readText, wordEnd, wordStart } from "./word-bounds.ts";
import { createWordNumbers } from "./word-numbers.ts";

/** Only the beginning of a body is indexed; longer ones would match everything. */
const BODY_CAP = 16_000;
const LONGEST_FIELD = 16_000;
const MOST_LENGTH = 0xffff;

export interface SegmentBuilder {
  /** Takes a few milliseconds for the longest document. */
  add(document: SearchDocument): void;
  finish(): Steps<Segment>;
}

export function createSegmentBuilder(table?: WordTable): SegmentBuilder {
  const writer = createSegmentWriter();
  const meaning = table === undefined ? undefined : createDocumentMeaning(table);
  const words = createNumberedWords(writer, meaning);
  const occurrences = createOccurrences();
  const characters = noCharacters();
  let pairs: number[] = [];

  const mention = (term: number, field: number): void => {
    occurrences.add(term, field);
    meaning?.add(term);
  };

  /** Returns how many terms the text has. Pairs do not run from one text into the next. */
  const addText = (text: string, field: number): number => {
    let length = 0;
    let before = -1;
    let beforeThat = -1;
    readText(characters, text);
    for (let start = wordStart(characters, 0), end = 0; start < text.length; ) {
      end = wordEnd(characters, start);
      const { parts, whole } = words.termsOf(text, characters, start, end);
      start = wordStart(characters, end);
      for (const term of parts) mention(term, field);
      if (whole !== parts) for (const term of whole) mention(term, field);
      length += parts.length;
      for (const term of whole) {
        addPair(pairs, words, beforeThat, term);
        addPair(pairs, words, before, term);
        beforeThat = before;
        before = term;
      }
    }
    return length;
  };

  return {
    add({ id, name, description, keywords, examples, body }) {
      const lengths: number[] = [];
      const texts: readonly (readonly string[])[] = [[name], [description], keywords, examples];
      for (const field of [NAME, DESCRIPTION, KEYWORDS, EXAMPLES]) {
        let length = 0;
        for (const text of texts[field] ?? []) length += addText(text.slice(0, LONGEST_FIELD), field);
        lengths[field] = Math.min(length, MOST_LENGTH);
      }
      const above = pairFilter(pairs);
      pairs = [];
      meaning?.endHead();
      lengths[BODY] = 0;
      for (const passage of passagesOf(body.slice(0, BODY_CAP))) {
        lengths[BODY] += addText(passage, BODY);
        meaning?.endPassage(passage);
      }
      const doc = writer.addDocument(id, lengths, [above, pairFilter(pairs)], meaning?.take());
      pairs = [];
      occurrences.take((term, counts) => writer.addPosting(term, doc, counts));
    },
    finish: () => writer.finish(),
  };
}

function addPair(
  pairs: number[],
  { hashOf }: ReturnType<typeof createNumberedWords>,
  first: number,
  second: number,
): void {
  if (first !== -1 && first !== second) pairs.push(pairHash(hashOf(first), hashOf(second)));
}

/** The terms of a word, by their numbers. */
interface NumberedWord {
  readonly parts: readonly number[];
  /** The joined term of a word that has one, else its parts: used for the word in a pair. */
  readonly whole: readonly number[];
}

/** Analyses each distinct word once: words repeat. */
function createNumberedWords({ termNumber }: SegmentWriter, meaning: DocumentMeaning | undefined) {
  const { numberOf } = createWordNumbers();
  const words: NumberedWord[] = [];
  const hashes: number[] = [];
  const numberOfTerm = (term: string): number => {
    const number = termNumber(term);
    if (number === hashes.length) {
      hashes.push(termHash(term));
      meaning?.addTerm(term);
    }
    return number;
  };
  const analyse = (word: string): NumberedWord => {
    const { parts, joined } = termsOfWord(word);
    const numbers = parts.map(numberOfTerm);
    return { parts: numbers, whole: joined === null ? numbers : [numberOfTerm(joined)] };
  };
  return {
    termsOf(text: string, { codes }: Characters, from: number, to: number): NumberedWord {
      const number = numberOf(codes, from, to);
      // A copy, because a slice would keep the whole text in memory.
      if (number === words.length) words.push(analyse(text.slice(from, to).split("").join("")));
      return words[number] as NumberedWord;
    },
    hashOf: (term: number): number => hashes[term] as number,
  };
}

/** Counts the terms of one document at a time. */
function createOccurrences() {
  /** By term: there are many, in no order, and this way most of them stay in the processor's cache. */
  let counts = new Uint16Array(1024);
  const counted: number[] = [];
  return {
    add(term: number, field: number): void {
      if (term >= counts.length) counts = enlarged(counts, term);
      const before = counts[term] as number;
      if (before === 0) counted.push(term);
      counts[term] = withOccurrence(before, field);
    },
    take(use: (term: number, counts: number) => void): void {
      for (const term of counted) {
        use(term, counts[term] as number);
        counts[term] = 0;
      }
      counted.length = 0;
    },
  };
}

function enlarged(counts: Uint16Array, term: number): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(2 * Math.max(counts.length, term));
  larger.set(counts);
  return larger;
}
