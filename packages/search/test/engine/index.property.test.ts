import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../../../../test/support/rounds.ts";
import type { SearchDocument } from "../../src/engine/index/build-segment.ts";
import {
  createIndexBuilder,
  emptyIndex,
  indexOfSegment,
  type SearchIndex,
  updateIndex,
  wholeSegment,
} from "../../src/engine/index/search-index.ts";
import { DIMENSIONS } from "../../src/engine/index/segment.ts";
import { similarityAt, type WordTable } from "../../src/engine/meaning/embed.ts";
import { parseQuery } from "../../src/engine/rank/parse-query.ts";
import { rankDocuments, searchIndex } from "../../src/engine/rank/rank-skills.ts";
import { resolveTerms } from "../../src/engine/rank/resolve-terms.ts";
import { queryMeaning } from "../../src/engine/rank/score-documents.ts";
import { runToEnd } from "../../src/engine/steps.ts";
import { corpus, document, id, query } from "./corpora.ts";
import { naiveSearch } from "./naive-search.ts";
import { tableOf } from "./test-table.ts";

const TABLE = tableOf([
  ["deploy", "kubernetes", "k8s", "cluster"],
  ["review", "pull", "request", "pr", "github"],
  ["pdf", "form", "file"],
  ["database", "db", "postgres", "migration"],
]);

function build(documents: readonly SearchDocument[], table?: WordTable): SearchIndex {
  const builder = createIndexBuilder(table);
  for (const one of documents) builder.add(one);
  return runToEnd(builder.finish());
}

/** What fits, and the scores of all that was looked at. */
const answer = (index: SearchIndex, text: string): string =>
  JSON.stringify([searchIndex(index, text, { limit: 20 }), looked(index, text)]);

function looked(index: SearchIndex, text: string) {
  const parsed = parseQuery(text, undefined);
  const found = rankDocuments(index, parsed, resolveTerms(index, parsed), { limit: 20 });
  const ranked = found.ranked.map(({ id, score, head, passage }) => ({ id, score, head, passage }));
  return { ranked, toAll: found.toAll };
}

const edit = fc.record({
  removed: fc.array(id, { maxLength: 3 }),
  added: fc.array(document, { maxLength: 3 }),
});

describe("the index", () => {
  test("scores like the obvious implementation", () => {
    fc.assert(
      fc.property(corpus, query, (documents, text) => {
        const results = looked(build(documents), text).ranked;
        const expected = naiveSearch(documents, text);
        expect(results.map((found) => found.id).sort()).toEqual([...expected.keys()].sort());
        for (const found of results) expect(found.score).toBeCloseTo(expected.get(found.id) ?? 0, 2);
        const scores = results.map((found) => found.score);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
      }),
      rounds(60),
    );
  });

  test("knows how alike a query is to its documents on average", () => {
    fc.assert(
      fc.property(corpus, query, (documents, text) => {
        const index = build(documents, TABLE);
        const parsed = parseQuery(text, undefined);
        const meaning = queryMeaning(index, parsed, resolveTerms(index, parsed)) ?? new Int8Array(DIMENSIONS);
        const each = index.views.flatMap(({ segment: { heads, ids }, dead }) =>
          ids.flatMap((_, doc) => (dead?.[doc] === 1 ? [] : similarityAt(heads, doc * DIMENSIONS, meaning))),
        );
        const mean = each.reduce((sum, one) => sum + one, 0) / Math.max(each.length, 1);
        expect(looked(index, text).toAll).toBeCloseTo(mean, 9);
      }),
      rounds(30),
    );
  });

  test.each([
    ["by words alone", undefined],
    ["by meaning too", TABLE],
  ])("answers alike after edits and when built afresh, %s", (_how, table) => {
    fc.assert(
      fc.property(
        corpus,
        fc.array(edit, { maxLength: 8 }),
        fc.array(query, { minLength: 3, maxLength: 3 }),
        (start, edits, queries) => {
          let index = build(start, table);
          const documents = new Map(start.map((one) => [one.id, one]));
          for (const { removed, added } of edits) {
            index = runToEnd(updateIndex(index, { removed, added }));
            for (const gone of removed) documents.delete(gone);
            for (const one of added) documents.set(one.id, one);
            expect(index.size).toBe(documents.size);
          }
          const fresh = build([...documents.values()], table);
          for (const text of queries) expect(answer(index, text)).toBe(answer(fresh, text));
        },
      ),
      rounds(25),
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
      rounds(30),
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
            emptyIndex(TABLE),
          );
          expect(answer(build(shuffled, TABLE), text)).toBe(answer(build(documents, TABLE), text));
          expect(answer(oneByOne, text)).toBe(answer(build(documents, TABLE), text));
        },
      ),
      rounds(30),
    );
  });

  test("answers alike as one segment", () => {
    fc.assert(
      fc.property(corpus, edit, query, (start, change, text) => {
        const index = runToEnd(updateIndex(build(start, TABLE), change));
        const whole = runToEnd(indexOfSegment(runToEnd(wholeSegment(index)), TABLE));
        expect(answer(whole, text)).toBe(answer(index, text));
      }),
      rounds(30),
    );
  });
});
