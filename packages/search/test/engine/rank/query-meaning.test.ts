import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../../../../../test/support/rounds.ts";
import { createIndexBuilder, updateIndex } from "../../../src/engine/index/search-index.ts";
import { DIMENSIONS } from "../../../src/engine/index/segment.ts";
import { createEmbedder, vectorOf } from "../../../src/engine/meaning/embed.ts";
import { parseQuery, type Synonyms } from "../../../src/engine/rank/parse-query.ts";
import { rankDocuments } from "../../../src/engine/rank/rank-skills.ts";
import { resolveTerms } from "../../../src/engine/rank/resolve-terms.ts";
import { queryMeaning, roughlyAlike } from "../../../src/engine/rank/score-documents.ts";
import { runToEnd } from "../../../src/engine/steps.ts";
import { corpus, doc, id } from "../corpora.ts";
import { tableOf } from "../test-table.ts";

const TABLE = tableOf([
  ["deploy", "kubernetes", "cluster"],
  ["review", "pull", "request", "github"],
  ["pdf", "form", "file"],
  ["database", "postgres", "migration"],
]);

function indexOf(documents: readonly ReturnType<typeof doc>[], table = true) {
  const builder = createIndexBuilder(table ? TABLE : undefined);
  for (const document of documents) builder.add(document);
  return runToEnd(builder.finish());
}

const INDEX = indexOf([doc("a", { body: "deploy kubernetes cluster pdf" }), doc("b", { body: "review" })]);

function meaningOf(
  query: string,
  { synonyms, index = INDEX }: { synonyms?: Synonyms; index?: typeof INDEX } = {},
) {
  const parsed = parseQuery(query, synonyms);
  const meaning = queryMeaning(index, parsed, resolveTerms(index, parsed));
  return meaning === undefined ? undefined : [...meaning];
}

function sumOf(...words: readonly (readonly [term: string, weight: number])[]): readonly number[] {
  const embedder = createEmbedder(TABLE);
  for (const [term, weight] of words) embedder.add(embedder.rowOf(term), weight);
  return [...vectorOf(embedder)];
}

describe("the meaning of a query", () => {
  test.each([
    ["a word", "deploy", sumOf(["deploy", 1])],
    ["words by how often they are mentioned", "deploy pdf pdf", sumOf(["deploy", 1], ["pdf", 2])],
    ["a word that no document contains", "postgres", sumOf(["postgr", 1])],
    [
      "a mistyped word: what it is corrected to, with a smaller share",
      "clustr pdf",
      sumOf(["cluster", 0.7], ["pdf", 1]),
    ],
    ["the known words only", "zebra deploy", sumOf(["deploy", 1])],
  ])("is that of %s", (_what, query, expected) => {
    expect(meaningOf(query)).toEqual(expected);
  });

  test("the vector of a word that the table does not have is that of its synonym", () => {
    const synonyms = new Map([
      ["zoo", ["pdf"]],
      ["deploy", ["review"]],
    ]);
    expect(meaningOf("zoo deploy", { synonyms })).toEqual(sumOf(["pdf", 0.9], ["deploy", 1]));
  });

  test.each([
    ["of a query without a known word", "zebra", INDEX],
    ["of nothing", "", INDEX],
    ["without a table", "deploy", indexOf([doc("a", { body: "deploy" })], false)],
  ])("is unknown %s", (_what, query, index) => {
    expect(meaningOf(query, { index })).toBeUndefined();
  });
});

describe("the documents that are roughly alike", () => {
  /** The obvious version: signs counted one by one. */
  const signsShared = (head: readonly number[], meaning: readonly number[]): number =>
    head.filter((number, at) => number < 0 === (meaning[at] ?? 0) < 0).length;

  test("roughly alike documents share the most signs, more than half, ties included", () => {
    const removed = fc.array(id, { maxLength: 3 });
    const query = fc.constantFrom("deploy", "pdf review", "database kubernetes request");
    fc.assert(
      fc.property(corpus, removed, query, fc.integer({ min: 1, max: 6 }), (documents, gone, text, most) => {
        const index = runToEnd(updateIndex(indexOf(documents), { removed: gone, added: [] }));
        const meaning = meaningOf(text, { index }) ?? [];
        const shared = index.views.flatMap(({ segment, dead }) =>
          segment.ids.flatMap((name, at) => {
            const head = [...segment.heads.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS)];
            return dead?.[at] === 1 ? [] : [{ id: name, score: signsShared(head, meaning) }];
          }),
        );
        const sorted = shared.filter(({ score }) => score > 64).sort((a, b) => b.score - a.score);
        const least = sorted[Math.min(most, sorted.length) - 1]?.score ?? 0;
        const expected = sorted.filter(({ score }) => score >= least);
        const found = roughlyAlike(index, Int8Array.from(meaning), most).map((one) => ({
          id: one.id,
          score: one.score,
        }));
        const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1);
        expect(found.sort(byId)).toEqual(expected.sort(byId));
      }),
      rounds(40),
    );
  });
});

describe("of many documents about the same", () => {
  const ids = Array.from({ length: 50 }, (_, number) => `s${number + 10}`);
  const index = indexOf(ids.map((one) => doc(one, { name: "deploy", description: "kubernetes cluster" })));
  const ranked = (leftOut: readonly string[]) => {
    const parsed = parseQuery("clusters", undefined);
    // Words that no document contains: what is found is found by its meaning.
    const resolved = { ...resolveTerms(index, parsed), terms: [] };
    return rankDocuments(index, parsed, resolved, { limit: 5, leftOut: new Set(leftOut) }).ranked.map(
      (one) => one.id,
    );
  };

  test("the first 30 are compared closely", () => {
    expect(ranked([])).toEqual(ids.slice(0, 30));
  });

  test("documents that are left out take no place of others", () => {
    expect(ranked(ids.slice(0, 8))).toEqual(ids.slice(8, 38));
  });
});
