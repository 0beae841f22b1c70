import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { searchCatalog } from "../../src/catalog/search.ts";
import { catalogOf, fromPlugin, plain } from "./entries.ts";

const SKILLS = [
  plain("claude", "pdf", { description: "Read and fill PDF forms, merge documents." }),
  plain("claude", "xlsx", { description: "Work with spreadsheets and formulas." }),
  plain("codex", "git-commit", { description: "Write a commit message for staged changes." }),
  plain("agents", "kubernetes-deploy", { description: "Deploy a service to a cluster." }),
  plain("agents", "école", { description: "Prépare des leçons." }),
  fromPlugin("office", "docx", { description: "Create documents for a word processor." }),
];
const CATALOG = catalogOf(...SKILLS);

test.each([
  ["pdf", ["pdf"]],
  ["PDF", ["pdf"]],
  ["documents", ["pdf", "office:docx"]],
  ["docx", ["office:docx"]],
  ["office", ["office:docx"]],
  ["spreadsheet", ["xlsx"]],
  ["kube", ["kubernetes-deploy"]],
  ["ÉCOLE", ["école"]],
  ["e\u0301cole", ["école"]],
  ["LEÇONS", ["école"]],
  ["go", []],
  ["zebra", []],
])("a search for '%s' finds %j", (query, names) => {
  const found = namesFor(CATALOG, query);
  expect([...found].sort()).toEqual([...names].sort());
});

test("N10: words that lie apart are found", () => {
  const [first] = searchCatalog(CATALOG, "fill documents");
  expect(first).toMatchObject({ entry: { listedAs: "pdf" }, matched: ["fill", "documents"] });
});

test("a skill that holds more of the words comes first", () => {
  expect(namesFor(CATALOG, "merge pdf documents")[0]).toBe("pdf");
});

test("a word in a name counts more than one in a description", () => {
  const catalog = catalogOf(
    plain("agents", "a-helper", { description: "Does deploy things." }),
    plain("agents", "deploy", { description: "Does things." }),
  );
  expect(namesFor(catalog, "deploy")).toEqual(["deploy", "a-helper"]);
});

test("a word that many skills hold counts less than a rare one", () => {
  const catalog = catalogOf(
    plain("agents", "a", { description: "skill common" }),
    plain("agents", "b", { description: "skill common" }),
    plain("agents", "c", { description: "skill rare" }),
  );
  expect(namesFor(catalog, "common rare")).toEqual(["c", "a", "b"]);
});

test("equal scores are ordered by name", () => {
  const catalog = catalogOf(...["c", "a", "b"].map((name) => plain("agents", name, { description: "same" })));
  expect(namesFor(catalog, "same")).toEqual(["a", "b", "c"]);
  const near = plain("agents", "z", { description: "same" });
  const far = plain("agents", "a", { description: "same", location: "user" });
  expect(namesFor(catalogOf(near, far), "same")).toEqual(["a", "z"]);
});

test("the words that matched are told once each, in the order they were typed", () => {
  const [first] = searchCatalog(CATALOG, "merge zebra PDF merge");
  expect(first?.matched).toEqual(["merge", "pdf"]);
});

test("the order in which skills were found changes nothing", () => {
  const shuffled = fc.shuffledSubarray(SKILLS, { minLength: SKILLS.length });
  const query = fc.constantFrom(
    "a documents",
    "pdf",
    "deploy service",
    "for",
    "message documents pdf commit",
  );
  fc.assert(
    fc.property(shuffled, query, (skills, words) => {
      const found = searchCatalog(catalogOf(...skills), words);
      expect(found.map(visible)).toEqual(searchCatalog(CATALOG, words).map(visible));
    }),
  );
});

test("any text may be searched for; hits have words, descending finite scores and come once", () => {
  const anyUnits = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));
  fc.assert(
    fc.property(anyUnits, (query) => {
      const hits = searchCatalog(CATALOG, `${query} a`);
      expect(new Set(hits.map((hit) => hit.entry)).size).toBe(hits.length);
      for (const [index, hit] of hits.entries()) {
        expect(hit.matched).not.toEqual([]);
        expect(hit.score).toBeGreaterThan(0);
        expect(hit.score).toBeLessThanOrEqual(hits[index - 1]?.score ?? Number.MAX_VALUE);
      }
    }),
  );
});

test.each([
  ["an empty text", ""],
  ["spaces", "  \t\n"],
  ["emoji", "🦄🔥"],
  ["signs", "*.* ?? (((( [] $&"],
  ["a lone surrogate", "\ud800"],
  ["ten thousand words", Array.from({ length: 10_000 }, (_, index) => `word${index}`).join(" ")],
])("a query of %s finds nothing and does not fail", (_, query) => {
  expect(searchCatalog(CATALOG, query)).toEqual([]);
});

test("an empty catalog has no hits", () => {
  expect(searchCatalog(catalogOf(), "pdf")).toEqual([]);
});

function namesFor(catalog: Catalog, query: string): readonly string[] {
  return searchCatalog(catalog, query).map((hit) => hit.entry.listedAs);
}

function visible({ entry, score, matched }: ReturnType<typeof searchCatalog>[number]): unknown {
  return { name: entry.listedAs, score, matched };
}
