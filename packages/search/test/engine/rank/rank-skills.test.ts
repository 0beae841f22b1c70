import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codePoint } from "../../../../../test/support/code-point.ts";
import { type SearchDocument, searchDocumentOf } from "../../../src/engine/index/build-segment.ts";
import { createIndexBuilder, EMPTY_INDEX, updateIndex } from "../../../src/engine/index/search-index.ts";
import { searchIndex } from "../../../src/engine/rank/rank-skills.ts";
import { runToEnd } from "../../../src/engine/steps.ts";
import { doc } from "../corpora.ts";

function indexOf(documents: readonly SearchDocument[]) {
  const builder = createIndexBuilder();
  for (const one of documents) builder.add(one);
  return runToEnd(builder.finish());
}

const SKILLS = indexOf([
  doc("pdf", { description: "Fill PDF forms, merge and split PDF files." }),
  doc("kubernetes", { description: "Deploy services to a Kubernetes cluster." }),
  doc("golang-testing", { description: "Write table tests in Go." }),
  doc("code-review", { description: "Review a pull request for bugs.", examples: ["look over my changes"] }),
  doc("charts", { description: "画图表 and diagrams", keywords: ["plot"] }),
  doc("releases", { description: "Ship a version", body: "Write the changelog, then tag the commit." }),
]);

const first = (query: string): string | undefined => searchIndex(SKILLS, query, { limit: 3 }).results[0]?.id;

describe("a search", () => {
  test.each([
    ["by the name", "pdf", "pdf"],
    ["by an inflected word", "merging my file", "pdf"],
    ["by a short form", "roll out to k8s", "kubernetes"],
    ["by the long form of a short one", "a PR is waiting", "code-review"],
    ["by an example", "can you look over the changes I made?", "code-review"],
    ["by a keyword", "plot it", "charts"],
    ["by the body", "write a changelog and tag it", "releases"],
    ["in Chinese", "图表", "charts"],
    ["despite a mistake", "kuberntes", "kubernetes"],
    ["despite two mistakes in a long word", "kubrenetse", "kubernetes"],
  ])("finds a skill %s", (_how, query, id) => {
    expect(first(query)).toBe(id);
  });

  test("a result lists the words that matched, as typed, in the order of the query", () => {
    const { results } = searchIndex(SKILLS, "Zebra: FORMS to merge, k8s, merge Forms!", { limit: 1 });
    expect(results.map(({ id, matched }) => ({ id, matched }))).toEqual([
      { id: "pdf", matched: ["forms", "merge"] },
    ]);
  });

  test("the total counts all that fit, the results only as many as asked for", () => {
    const { total, results } = searchIndex(SKILLS, "pdf kubernetes changelog", { limit: 1 });
    expect([total, results.length]).toEqual([2, 1]);
  });

  test("uses the caller's synonyms", () => {
    const synonyms = new Map([
      ["orchestrator", ["kubernetes"]],
      ["paper work", ["pdf forms"]],
    ]);
    expect(first("orchestrator")).toBeUndefined();
    expect(searchIndex(SKILLS, "Orchestrator", { limit: 1, synonyms }).results[0]?.id).toBe("kubernetes");
    expect(searchIndex(SKILLS, "my paper work", { limit: 1, synonyms }).results[0]?.id).toBe("pdf");
  });

  test("in a large index, a word that most skills hold chooses none, unless it is all there is", () => {
    const index = indexOf(
      Array.from({ length: 1000 }, (_, number) =>
        doc(`s${number}`, { name: "common", body: number === 7 ? "rare" : "" }),
      ),
    );
    const { total, results } = searchIndex(index, "common rare", { limit: 5 });
    expect([total, results[0]?.id, results[0]?.matched]).toEqual([1, "s7", ["common", "rare"]]);
    expect(searchIndex(index, "rare common", { limit: 5 }).results[0]?.matched).toEqual(["rare", "common"]);
    expect(searchIndex(index, "common", { limit: 5 }).total).toBe(60);
  });

  test("in a large index, a common word gives way to a rarer name for the same", () => {
    const index = indexOf(
      Array.from({ length: 1000 }, (_, number) =>
        doc(`s${number}`, { name: "k8s", body: number === 7 ? "kubernetes" : "" }),
      ),
    );
    expect(searchIndex(index, "k8s", { limit: 5 }).results.map(({ id }) => id)).toEqual(["s7"]);
  });

  test("copies are named with the first of them by id, unless they are too short to tell", () => {
    const long = Array.from({ length: 60 }, (_, number) => `word${number}`).join(" ");
    const twins = (body: string) => indexOf(["c", "a", "b"].map((id) => doc(id, { name: "twin", body })));
    const found = (body: string) => searchIndex(twins(body), "twin", { limit: 3 }).results;
    expect(found(long)).toMatchObject([{ id: "a", copies: ["b", "c"] }]);
    expect(found("short").map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });

  test("a copy in second place does not make a match ambiguous", () => {
    const long = Array.from({ length: 60 }, (_, number) => `word${number}`).join(" ");
    const twin = (id: string) => doc(id, { name: "twin", description: "Feeds the zebra", body: long });
    const others = Array.from({ length: 20 }, (_, number) => doc(`other${number}`, { body: "lion" }));
    const answer = (ids: readonly string[]) =>
      searchIndex(indexOf([...ids.map(twin), ...others]), "feed the zebra", { limit: 1 });
    expect(answer(["a", "b"])).toMatchObject({ verdict: "match", results: [{ id: "a", copies: ["b"] }] });
    expect(answer(["a", "b"]).verdict).toBe(answer(["a"]).verdict);
  });

  test("a request that nothing answers is no match", () => {
    for (const query of ["", "the of and", "zzzqqq xxyyzz", "🎉"]) {
      expect(searchIndex(SKILLS, query, { limit: 5 })).toEqual({
        total: 0,
        results: [],
        nearest: [],
        confidence: 0,
        verdict: "no_match",
      });
    }
  });

  test("an empty index answers nothing", () => {
    expect(searchIndex(EMPTY_INDEX, "pdf", { limit: 5 }).results).toEqual([]);
    expect(runToEnd(updateIndex(EMPTY_INDEX, { removed: ["x"], added: [] })).size).toBe(0);
  });

  test("a skill's later document replaces its earlier one", () => {
    const index = indexOf([doc("a", { body: "zebra" }), doc("a", { body: "lion" })]);
    expect(index.size).toBe(1);
    expect(searchIndex(index, "zebra", { limit: 5 }).total).toBe(0);
  });
});

describe("a query that is a name", () => {
  const find = (query: string, named: readonly string[], limit = 3) =>
    searchIndex(SKILLS, query, { limit, named: new Set(named) });

  test("brings what bears it first and is sure of it, whatever else its words fit better", () => {
    const { results, verdict, confidence, total } = find("merge pdf files", ["code-review"]);
    expect(results.map(({ id }) => id)).toEqual(["code-review", "pdf"]);
    expect([verdict, confidence, total]).toEqual(["match", 1, 2]);
  });

  test("a skill is found by its name even if all of it is stop words", () => {
    const { results, verdict, total } = find(" How to ", ["releases"]);
    expect(results).toMatchObject([{ id: "releases", matched: ["how to"], copies: [] }]);
    // Ten more than its words earn, which is more than any words earn.
    expect(results[0]?.score).toBeCloseTo(10.06, 1);
    expect([verdict, total]).toEqual(["match", 1]);
  });

  test("that several bear is one of theirs", () => {
    const { results, verdict } = find("the", ["releases", "charts"]);
    expect(results.map(({ id }) => id)).toEqual(["charts", "releases"]);
    expect(verdict).toBe("ambiguous");
  });

  test("a name finds nothing when its skill is excluded", () => {
    const leftOut = new Set(["pdf"]);
    expect(searchIndex(SKILLS, "pdf", { limit: 3, named: leftOut, leftOut })).toMatchObject({
      total: 0,
      results: [],
      verdict: "no_match",
    });
  });

  test("a named skill counts once, and not at all once it is removed", () => {
    expect(find("pdf", ["pdf"]).total).toBe(1);
    const without = runToEnd(updateIndex(SKILLS, { removed: ["releases"], added: [] }));
    expect(searchIndex(without, "the", { limit: 3, named: new Set(["releases"]) }).results).toEqual([]);
  });
});

describe("no input breaks it", () => {
  test.each([
    ["a megabyte", "deploy pdf forms ".repeat(62_000)],
    ["one word of a megabyte", "x".repeat(1_000_000)],
    ["ten thousand words", Array.from({ length: 10_000 }, (_, index) => `word${index}`).join(" ")],
    ["an open fence", "```".repeat(1000)],
    ["line breaks without end", "\n".repeat(1_000_000)],
    ["quotes without end", `"'“`.repeat(100_000)],
    ["emoji", "👩‍👩‍👧‍👦".repeat(100)],
    ["right to left", "مرحبا بالعالم שלום \u202epdf"],
    ["NUL and half a surrogate pair", "pdf\0\ud800form"],
    ["Chinese without end", "图表".repeat(20_000)],
    ["names of object members", "__proto__ constructor toString hasOwnProperty"],
  ])("%s", (_what, text) => {
    const answer = searchIndex(SKILLS, text, { limit: 5 });
    expect(answer.confidence).toBeGreaterThanOrEqual(0);
    const document = searchDocumentOf({
      id: text,
      name: text,
      description: text,
      fields: { tags: text },
      body: text,
      evalPrompts: [text],
    });
    expect(runToEnd(updateIndex(SKILLS, { removed: [], added: [document] })).size).toBe(7);
  });

  test("any text as query and as document", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: codePoint, maxLength: 200 }),
        fc.string({ unit: codePoint, maxLength: 200 }),
        (query, text) => {
          const added = [doc("new", { name: text, description: query, body: text })];
          const index = runToEnd(updateIndex(SKILLS, { removed: [], added }));
          const { results, confidence } = searchIndex(index, query, { limit: 7 });
          expect(results.every(({ score }) => Number.isFinite(score))).toBe(true);
          expect(confidence).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 300 },
    );
  });
});

test("eight unknown words of a query are corrected", () => {
  const words = Array.from({ length: 9 }, (_, number) => `${"abcdefghi".charAt(number)}zebra`);
  const index = indexOf([doc("zoo", { body: words.join(" ") })]);
  const mistyped = words.map((word) => `${word}q`).join(" ");
  expect(searchIndex(index, mistyped, { limit: 1 }).results[0]?.matched).toHaveLength(8);
});

test("the 64 heaviest words of a query are searched: those mentioned more often, then the first", () => {
  const words = Array.from({ length: 70 }, (_, number) => `w${number}`);
  const index = indexOf([doc("all", { body: words.join(" ") }), doc("other")]);
  const { results } = searchIndex(index, `${words.join(" ")} w69 w69`, { limit: 1 });
  expect(results[0]?.matched).toEqual([...words.slice(0, 63), "w69"]);
});
