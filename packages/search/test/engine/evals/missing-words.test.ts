import { expect, test } from "vitest";
import type { CaseResult } from "../../../src/engine/evals/evaluate.ts";
import { termsWithWords, thinDescriptions } from "../../../src/engine/evals/separate.ts";
import { corpusOf, resultOf } from "./eval-corpus.ts";

const { skills } = corpusOf([
  { name: "pdf", description: "Fills forms, signs papers, merges and splits them.", keywords: ["acrobat"] },
  { name: "charts", description: "Draws a diagram or a chart of many numbers with colours." },
]);

const lost = (prompt: string, rest: Partial<CaseResult> = {}): CaseResult =>
  resultOf("pdf", { prompt, rank: 2, ahead: ["charts"], passed: false, ...rest });
const missingIn = (results: readonly CaseResult[]) => thinDescriptions(skills, results)[0]?.missing;

test.each([
  ["no words", "", 0],
  ["five words", "Fills forms, signs and merges papers.", 5],
  ["five words, one of them twice", "Fills forms, signs and merges papers, the forms.", 5],
])("a description of %s is thin", (_what, description, words) => {
  const corpus = corpusOf([{ name: "pdf", description }]);
  expect(thinDescriptions(corpus.skills, [])).toEqual([{ skill: "pdf", words, missing: [] }]);
});

test("a description of six words is not thin while its prompts reach the skill", () => {
  const results = [resultOf("pdf", { prompt: "zebra" }), resultOf("charts", { prompt: "zebra" })];
  expect(thinDescriptions(skills, results)).toEqual([]);
});

test("a description without the words of a lost prompt is thin", () => {
  expect(thinDescriptions(skills, [lost("Signing a zebra with Acrobat PDF forms")])).toEqual([
    { skill: "pdf", words: 6, missing: ["zebra"] },
  ]);
});

test.each<[string, CaseResult]>([
  ["is found", lost("zebra", { rank: 1 })],
  ["is for another skill", lost("zebra", { shouldTrigger: false })],
  ["is lost though its words are there", lost("sign the papers")],
])("a prompt that %s does not make a description thin", (_what, result) => {
  expect(thinDescriptions(skills, [result])).toEqual([]);
});

test("a prompt that no search finds is lost too", () => {
  expect(missingIn([lost("zebra", { rank: undefined, ahead: [] })])).toEqual(["zebra"]);
});

test("a prompt of one skill says nothing of another", () => {
  const thin = thinDescriptions(skills, [lost("zebra", { skill: "charts" })]);
  expect(thin.map(({ skill }) => skill)).toEqual(["charts"]);
});

test("the words of most prompts come first, equals by the alphabet", () => {
  const prompts = ["walrus zebra", "otter walrus walrus", "zebra yak", "zebra"];
  expect(missingIn(prompts.map((prompt) => lost(prompt)))).toEqual(["zebra", "walrus", "otter", "yak"]);
});

test("a word that has several terms is one word", () => {
  expect(missingIn([lost("run getUserName"), lost("数据库")])).toEqual(["getusername", "run", "数据库"]);
});

test("eight words are enough", () => {
  const words = ["ant", "bat", "cat", "dog", "elk", "fox", "goat", "hen", "ibex"];
  expect(missingIn([lost(words.slice(0, 8).join(" "))])).toEqual(words.slice(0, 8));
  expect(missingIn([lost([...words].reverse().join(" "))])).toEqual(words.slice(0, 8));
});

test("each term is known by the word that it was first written as", () => {
  expect([...termsWithWords("Forms, then a form in getUserName")]).toEqual([
    ["form", "forms"],
    ["user", "getusername"],
    ["name", "getusername"],
  ]);
});
