import { createDocumentMeaning, passagesOf } from "../meaning/document-meaning.ts";
import type { WordTable } from "../meaning/word-table.ts";
import type { Steps } from "../steps.ts";
import { append, type NumberList, numberList, withRoomFor } from "./number-list.ts";
import { pairFilter, pairHash, termHash } from "./pair-filter.ts";
import {
  BODY,
  DESCRIPTION,
  EXAMPLES,
  KEYWORDS,
  NAME,
  type SearchDocument,
  withOccurrence,
} from "./search-document.ts";
import type { Segment } from "./segment.ts";
import { createSegmentWriter } from "./segment-writer.ts";
import { createTermReader } from "./text-terms.ts";

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
  /** By term. */
  const hashes = numberList();
  const readTerms = createTermReader((term) => {
    const number = writer.termNumber(term);
    if (number === hashes.length) {
      append(hashes, termHash(term));
      meaning?.addTerm(term);
    }
    return number;
  });
  const occurrences = createOccurrences();
  const pairs = numberList();

  /** Returns how many terms the text has. Pairs do not run from one text into the next. */
  const addText = (text: string, field: number): number => {
    const { mentioned, sequence, length } = readTerms(text);
    occurrences.add(mentioned, field);
    meaning?.add(mentioned);
    addPairs(pairs, sequence, hashes);
    return length;
  };
  const takePairs = (): Uint8Array => {
    const filter = pairFilter(pairs.values.subarray(0, pairs.length));
    pairs.length = 0;
    return filter;
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
      const pairsAbove = takePairs();
      meaning?.endHead();
      lengths[BODY] = 0;
      for (const passage of passagesOf(body.slice(0, BODY_CAP))) {
        lengths[BODY] += addText(passage, BODY);
        meaning?.endPassage(passage);
      }
      const doc = writer.addDocument(id, lengths, [pairsAbove, takePairs()], meaning?.take());
      occurrences.take((term, counts) => writer.addPosting(term, doc, counts));
    },
    finish: () => writer.finish(),
  };
}

/** Each term with the two before it. */
function addPairs(pairs: NumberList, { values: terms, length }: NumberList, hashes: NumberList): void {
  const byTerm = hashes.values;
  for (let at = 1; at < length; at++) {
    const term = terms[at] as number;
    const before = terms[at - 1] as number;
    const hash = byTerm[term] as number;
    const beforeThat = at === 1 ? term : (terms[at - 2] as number);
    if (beforeThat !== term) append(pairs, pairHash(byTerm[beforeThat] as number, hash));
    if (before !== term) append(pairs, pairHash(byTerm[before] as number, hash));
  }
}

/** Counts the terms of one document at a time. */
function createOccurrences() {
  /** By term: there are many, in no order, and this way most of them stay in the processor's cache. */
  let counts = new Uint16Array(1024);
  const counted = numberList();
  return {
    add({ values: terms, length }: NumberList, field: number): void {
      for (let at = 0; at < length; at++) {
        const term = terms[at] as number;
        counts = withRoomFor(counts, term);
        const before = counts[term] as number;
        if (before === 0) append(counted, term);
        counts[term] = withOccurrence(before, field);
      }
    },
    take(use: (term: number, counts: number) => void): void {
      for (let at = 0; at < counted.length; at++) {
        const term = counted.values[at] as number;
        use(term, counts[term] as number);
        counts[term] = 0;
      }
      counted.length = 0;
    },
  };
}
