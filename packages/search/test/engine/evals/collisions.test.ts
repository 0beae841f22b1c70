import { expect, test } from "vitest";
import { findCollisions, termsIn } from "../../../src/engine/evals/collisions.ts";
import type { CaseResult } from "../../../src/engine/evals/evaluate.ts";
import { corpusOf, type Given, resultOf } from "./eval-corpus.ts";

/** Skills of which no two share a word. */
const APART: readonly Given[] = [
  { name: "pdf", description: "Fills forms." },
  { name: "charts", description: "Draws diagrams." },
  { name: "tests", description: "Writes assertions." },
];

const lost = (skill: string, ...ahead: readonly string[]): CaseResult =>
  resultOf(skill, { rank: 1 + ahead.length, ahead, passed: false });

test("each side of a collision has the prompts that it lost to the other", () => {
  const results = [lost("pdf", "charts"), lost("charts", "pdf", "tests"), lost("pdf", "charts", "tests")];
  expect(findCollisions(corpusOf(APART), results)).toEqual([
    { first: "charts", second: "pdf", firstLost: 1, secondLost: 2, overlap: 0 },
  ]);
});

test("only prompts that another skill takes from their own are lost", () => {
  const results = [
    resultOf("pdf"),
    resultOf("pdf", { rank: undefined, passed: false }),
    resultOf("charts", { shouldTrigger: false, rank: 2, ahead: ["pdf"] }),
  ];
  expect(findCollisions(corpusOf(APART), results)).toEqual([]);
});

test("a prompt may be lost to a skill that is not evaluated", () => {
  expect(findCollisions(corpusOf(APART), [lost("tests", "unknown")])).toEqual([
    { first: "tests", second: "unknown", firstLost: 1, secondLost: 0, overlap: 0 },
  ]);
});

test("collisions come by lost prompts, then by overlap, then by name", () => {
  const corpus = corpusOf([
    { name: "alpha", description: "Fills forms." },
    { name: "beta", description: "Fills forms." },
    { name: "gamma", description: "Draws diagrams." },
    { name: "delta", description: "Writes assertions." },
    { name: "omega", description: "Writes assertions, quickly." },
  ]);
  const results = [
    lost("gamma", "delta"),
    lost("gamma", "beta"),
    lost("delta", "alpha"),
    lost("alpha", "delta"),
    lost("omega", "delta"),
    lost("beta", "alpha"),
    lost("delta", "unknown"),
  ];
  for (const one of [results, [...results].reverse()]) {
    const collisions = findCollisions(corpus, one);
    expect(collisions.map(({ first, second, overlap }) => [first, second, overlap])).toEqual([
      ["alpha", "delta", 0],
      ["alpha", "beta", 0.5],
      ["delta", "omega", 0.4],
      ["beta", "gamma", 0],
      ["delta", "gamma", 0],
      ["delta", "unknown", 0],
    ]);
  }
});

test.each([
  ["half of the words", "Fills forms.", "Fills forms.", 0.5],
  ["less than half of the words", "Fills forms.", "Fills forms, slowly.", undefined],
  ["two thirds, rounded", "Fills forms and signs papers.", "Fills forms and signs papers.", 0.67],
  ["no word", "Fills forms.", "Draws diagrams.", undefined],
])("two skills that share %s, and no prompts", (_what, one, other, overlap) => {
  const corpus = corpusOf([
    { name: "pdf", description: one },
    { name: "acrobat", description: other },
  ]);
  const expected = { first: "acrobat", second: "pdf", firstLost: 0, secondLost: 0, overlap };
  expect(findCollisions(corpus, [])).toEqual(overlap === undefined ? [] : [expected]);
});

test.each([
  ["without a word that counts", "the", "of", 0],
  ["of the same word", "forms", "form", 1],
])("two names %s overlap as they should", (_what, one, other, overlap) => {
  const corpus = corpusOf([
    { name: one, description: "" },
    { name: other, description: "" },
  ]);
  const [collision] = findCollisions(corpus, [lost(one, other)]);
  expect(collision?.overlap).toBe(overlap);
});

test("a skill that models are not told of collides with none", () => {
  const corpus = corpusOf([
    { name: "pdf", description: "Fills forms." },
    { name: "acrobat", description: "Fills forms." },
  ]);
  expect(findCollisions({ ...corpus, leftOut: new Set(["acrobat", "pdf"]) }, [])).toEqual([]);
});

test("the terms of a text are distinct, without stop words", () => {
  expect([...termsIn("Forms and the form of getUserName")]).toEqual(["form", "user", "name"]);
});
