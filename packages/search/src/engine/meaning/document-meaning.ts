import { append, type NumberList, numberList, withRoomFor } from "../index/number-list.ts";
import type { Meaning } from "../index/segment.ts";
import { createEmbedder } from "./embed.ts";
import { LEAST } from "./passages.ts";
import { DIMENSIONS, type WordTable } from "./word-table.ts";

/** Only the first passages of a body have a vector: later ones rarely say what a skill is for. */
const MOST_PASSAGES = 16;

/** Makes the vectors of one document at a time, from the numbers that an index under construction gives to terms. */
export interface DocumentMeaning {
  /** Announces the next term: numbers rise from 0. */
  addTerm(term: string): void;
  /** Terms of the text under way. */
  add(terms: NumberList): void;
  endHead(): void;
  endPassage(text: string): void;
  /** Valid until the next document is begun. */
  take(): Meaning;
}

export function createDocumentMeaning(table: WordTable): DocumentMeaning {
  const embedder = createEmbedder(table);
  /** By term: its row in the table, or -1; how often the text under way contains it. */
  let rows = new Int32Array(1024);
  let counts = new Uint32Array(1024);
  let terms = 0;
  const counted = numberList();
  const head = new Int8Array(DIMENSIONS);
  const passages = new Int8Array(MOST_PASSAGES * DIMENSIONS);
  let count = 0;

  const takeText = (vectors: Int8Array, start: number): void => {
    for (let at = 0; at < counted.length; at++) {
      const term = counted.values[at] as number;
      embedder.add(rows[term] as number, counts[term] as number);
      counts[term] = 0;
    }
    counted.length = 0;
    embedder.take(vectors, start);
  };

  return {
    addTerm(term) {
      rows = withRoomFor(rows, terms);
      counts = withRoomFor(counts, terms);
      rows[terms++] = embedder.rowOf(term);
    },
    add({ values, length }) {
      if (count === MOST_PASSAGES) return;
      for (let at = 0; at < length; at++) {
        const term = values[at] as number;
        if (rows[term] === -1) continue;
        const before = counts[term] as number;
        if (before === 0) append(counted, term);
        counts[term] = before + 1;
      }
    },
    endHead() {
      takeText(head, 0);
    },
    endPassage(text) {
      if (count === MOST_PASSAGES) return;
      takeText(passages, DIMENSIONS * count);
      if (text.length >= LEAST) count++;
    },
    take() {
      const made = { head, passages: passages.subarray(0, DIMENSIONS * count) };
      count = 0;
      return made;
    },
  };
}
