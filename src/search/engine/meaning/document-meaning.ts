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
  /** Another mention of a term in the text under way. */
  add(term: number): void;
  endHead(): void;
  endPassage(text: string): void;
  take(): Meaning;
}

export function createDocumentMeaning(table: WordTable): DocumentMeaning {
  const embedder = createEmbedder(table);
  /** By term: its row in the table, or -1; how often the text under way contains it. */
  let rows = new Int32Array(1024);
  let counts = new Uint32Array(1024);
  let terms = 0;
  const counted: number[] = [];
  const passages = new Int8Array(MOST_PASSAGES * DIMENSIONS);
  let count = 0;
  let head: Int8Array = passages;

  const takeText = (): Int8Array => {
    for (const term of counted) {
      embedder.add(rows[term] as number, counts[term] as number);
      counts[term] = 0;
    }
    counted.length = 0;
    return embedder.take();
  };

  return {
    addTerm(term) {
      if (terms === rows.length) {
        const [fewerRows, fewerCounts] = [rows, counts];
        rows = new Int32Array(2 * terms);
        rows.set(fewerRows);
        counts = new Uint32Array(2 * terms);
        counts.set(fewerCounts);
      }
      rows[terms++] = embedder.rowOf(term);
    },
    add(term) {
      if (count === MOST_PASSAGES || rows[term] === -1) return;
      const before = counts[term] as number;
      if (before === 0) counted.push(term);
      counts[term] = before + 1;
    },
    endHead() {
      head = takeText();
    },
    endPassage(text) {
      if (count === MOST_PASSAGES) return;
      const vector = takeText();
      if (text.length >= LEAST) passages.set(vector, DIMENSIONS * count++);
    },
    take() {
      const made = { head, passages: passages.slice(0, DIMENSIONS * count) };
      count = 0;
      return made;
    },
  };
}
