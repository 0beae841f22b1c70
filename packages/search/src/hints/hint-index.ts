import { FIELD_COUNT } from "../engine/index/search-document.ts";
import type { SearchIndex } from "../engine/index/search-index.ts";
import { fitsIn16Bits, type Segment } from "../engine/index/segment.ts";

/** Fills an array of bytes with what a file has from a position on. */
export type ReadFrom = (into: Uint8Array, position: number) => void;

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array;

/** What finding the terms of a prompt needs. UTF-16, because a term may hold half a surrogate pair, which UTF-8 cannot. */
export function smallArrays(
  { norms }: SearchIndex,
  { lengths, terms, postingStarts, pairStarts }: Segment,
): readonly Numbers[] {
  const text = Buffer.from(terms.text, "utf16le");
  return [...norms, ...lengths, text, terms.starts, postingStarts, pairStarts];
}

/** Most of the index: a prompt needs the postings of its words, and the pairs of the best skills. */
export function largeArrays({ postingDocs, postingCounts, pairs }: Segment): readonly Numbers[] {
  return [postingDocs, postingCounts, pairs];
}

/** An array in the file. */
interface Place {
  readonly start: number;
  readonly length: number;
}

/** Arrays one after another, each from a multiple of four on. */
export function placesOf(lengths: readonly number[], from: number): readonly Place[] {
  let start = from;
  return lengths.map((length) => {
    const place = { start, length };
    start += length + (-length & 3);
    return place;
  });
}

/**
 * The index whose small arrays are in `bytes`; of the large ones only what is needed is read, when it is. What could be worked
 * out from the arrays is read too: a process that runs once takes longer to work it out.
 */
export function readIndex(
  ids: readonly string[],
  words: number,
  bytes: Uint8Array<ArrayBuffer>,
  places: readonly Place[],
  read: ReadFrom,
): SearchIndex {
  let next = 0;
  const take = (): Place => places[next++] as Place;
  const numbers = ({ start, length }: Place) => new Uint32Array(bytes.buffer, start, length / 4);
  const norms = Array.from({ length: FIELD_COUNT }, take).map(
    ({ start, length }) => new Float32Array(bytes.buffer, start, length / 4),
  );
  const lengths = Array.from({ length: FIELD_COUNT }, take).map(
    ({ start, length }) => new Uint16Array(bytes.buffer, start, length / 2),
  );
  const text = take();
  const [starts, postingStarts, pairStarts] = [numbers(take()), numbers(take()), numbers(take())];
  const [docs, counts, filters] = [take(), take(), take()];
  // Room that nothing is written to takes no memory.
  const postingDocs = fitsIn16Bits(ids.length)
    ? new Uint16Array(docs.length / 2)
    : new Uint32Array(docs.length / 4);
  const postingCounts = new Uint16Array(counts.length / 2);
  const pairs = new Uint8Array(filters.length);
  let lastDoc = -1;
  const segment: Segment = {
    ids,
    lengths,
    terms: { text: Buffer.from(bytes.buffer, text.start, text.length).toString("utf16le"), starts },
    postingStarts,
    ...{ postingDocs, postingCounts, pairStarts, pairs },
    heads: new Int8Array(0),
    signs: new Uint32Array(0),
    passageStarts: new Uint32Array(0),
    passages: new Int8Array(0),
    load: {
      postings({ start, end }) {
        readPart(read, postingDocs, start, end, docs);
        readPart(read, postingCounts, start, end, counts);
      },
      pairs(doc) {
        if (doc === lastDoc) return;
        lastDoc = doc;
        readPart(read, pairs, pairStarts[2 * doc] ?? 0, pairStarts[2 * doc + 2] ?? 0, filters);
      },
    },
  };
  // Only an index that is edited needs the sums.
  const view = {
    segment,
    dead: null,
    deadCount: 0,
    headSum: new Float64Array(0),
    lengthSums: [],
    longest: [],
  };
  return { size: ids.length, words, views: [view], norms, table: undefined };
}

function readPart(read: ReadFrom, array: Numbers, from: number, to: number, { start }: Place): void {
  const size = array.BYTES_PER_ELEMENT;
  read(new Uint8Array(array.buffer, from * size, (to - from) * size), start + from * size);
}
