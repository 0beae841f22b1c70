import {
  append,
  DIMENSIONS,
  type Meaning,
  type NumberList,
  numberList,
  withRoomFor,
} from "../index/segment.ts";
import { createEmbedder, type WordTable } from "./embed.ts";

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

/** Long enough to be about something, short enough to be about one thing. */
const LENGTH = 900;
/** A line may run a little over, so that few are cut. */
const MOST = 1200;
/** Less is a heading alone. */
const LEAST = 40;

/**
 * A text in pieces of about 900 characters: a heading begins a new one, lines stay whole, and a very long line is cut
 * between words. Together the pieces are the text.
 */
export function passagesOf(text: string): readonly string[] {
  const passages: string[] = [];
  let start = 0;
  let lineStart = 0;
  const endAt = (end: number): void => {
    if (end > start) passages.push(text.slice(start, end));
    start = end;
  };
  while (lineStart < text.length) {
    const newline = text.indexOf("\n", lineStart);
    const lineEnd = newline === -1 ? text.length : newline + 1;
    if (isHeading(text, lineStart) || lineEnd - start > LENGTH) endAt(lineStart);
    while (lineEnd - start > MOST) endAt(wordEnd(text, start));
    lineStart = lineEnd;
  }
  endAt(text.length);
  return passages;
}

function isHeading(text: string, at: number): boolean {
  return text.charCodeAt(at) === 35 && /^#{1,6} /.test(text.slice(at, at + 7));
}

/** Where to cut a line that is too long: after the last space, or anywhere if there is none. */
function wordEnd(text: string, start: number): number {
  const space = text.lastIndexOf(" ", start + LENGTH);
  return space > start ? space + 1 : start + LENGTH;
}
