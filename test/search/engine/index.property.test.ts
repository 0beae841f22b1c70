import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SearchDocument } from "../../../src/search/engine/index/search-document.ts";
import {
  createIndexBuilder,
  EMPTY_INDEX,
  indexOfSegment,
  type SearchIndex,
  updateIndex,
  wholeSegment,
} from "../../../src/search/engine/index/search-index.ts";
import { searchIndex } from "../../../src/search/engine/rank/rank-skills.ts";
import { runToEnd } from "../../../src/search/engine/steps.ts";
import { corpus, document, id, query } from "./corpora.ts";
import { naiveSearch } from "./naive-search.ts";

function build(documents: readonly SearchDocument[]): SearchIndex {
  const builder = createIndexBuilder();
  for (const one of documents) builder.add(one);
  return runToEnd(builder.finish());
}

const answer = (index: SearchIndex, text: string): string =>
  JSON.stringify(searchIndex(index, text, { limit: 20 }));

const edit = fc.record({
  removed: fc.array(id, { maxLength: 3 }),
  added: fc.array(document, { maxLength: 3 }),
});

describe("the index", () => {
  test("scores like the obvious implementation", () => {
    fc.assert(
      fc.property(corpus, query, (documents, text) => {
        const { results, total } = searchIndex(build(documents), text, { limit: 20 });
        const expected = naiveSearch(documents, text);
        expect(total).toBe(expected.size);
        expect(results.map((found) => found.id).sort()).toEqual([...expected.keys()].sort());
        for (const found of results) expect(found.score).toBeCloseTo(expected.get(found.id) ?? 0, 2);
        const scores = results.map((found) => found.score);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
      }),
      { numRuns: 400 },
    );
  });

  test("answers alike after edits and when built afresh", () => {
    fc.assert(
      fc.property(
        corpus,
        fc.array(edit, { maxLength: 8 }),
        fc.array(query, { minLength: 3, maxLength: 3 }),
        (start, edits, queries) => {
          let index = build(start);
          const documents = new Map(start.map((one) => [one.id, one]));
          for (const { removed, added } of edits) {
            index = runToEnd(updateIndex(index, { removed, added }));
            for (const gone of removed) documents.delete(gone);
            for (const one of added) documents.set(one.id, one);
            expect(index.size).toBe(documents.size);
          }
          const fresh = build([...documents.values()]);
          for (const text of queries) expect(answer(index, text)).toBe(answer(fresh, text));
        },
      ),
      { numRuns: 300 },
    );
  });

  test("an edit leaves the index it started from as it was", () => {
    fc.assert(
      fc.property(corpus, edit, query, (start, change, text) => {
        const index = build(start);
        const before = answer(index, text);
        runToEnd(updateIndex(index, change));
        expect(answer(index, text)).toBe(before);
      }),
    );
  });

  test("answers alike in whatever order documents came", () => {
    fc.assert(
      fc.property(
        corpus.chain((documents) =>
          fc.tuple(fc.constant(documents), fc.shuffledSubarray(documents, { minLength: documents.length })),
        ),
        query,
        ([documents, shuffled], text) => {
          const oneByOne = shuffled.reduce(
            (index, one) => runToEnd(updateIndex(index, { removed: [], added: [one] })),
            EMPTY_INDEX,
          );
          expect(answer(build(shuffled), text)).toBe(answer(build(documents), text));
          expect(answer(oneByOne, text)).toBe(answer(build(documents), text));
        },
      ),
    );
  });

  test("answers alike as one segment", () => {
    fc.assert(
      fc.property(corpus, edit, query, (start, change, text) => {
        const index = runToEnd(updateIndex(build(start), change));
        expect(answer(indexOfSegment(runToEnd(wholeSegment(index))), text)).toBe(answer(index, text));
      }),
    );
  });
});
