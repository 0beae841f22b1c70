import { expect, test } from "vitest";
import { evalCasesIn, frontMatterCases } from "../../../src/engine/evals/eval-cases.ts";

/** The prompts that should choose the skill, and the others with a dash. */
const promptsIn = (json: unknown): readonly string[] =>
  evalCasesIn(json, "x").map(({ prompt, shouldTrigger }) => (shouldTrigger ? prompt : `- ${prompt}`));

test.each<[string, unknown, string[]]>([
  [
    "a list of prompts",
    [{ prompt: "merge two files" }, { prompt: "split one" }],
    ["merge two files", "split one"],
  ],
  [
    "a list below a key",
    { skill: "pdf", evals: [{ id: 1, prompt: "merge", expected_output: "x" }] },
    ["merge"],
  ],
  [
    "queries with a verdict",
    [
      { query: "yes", should_trigger: true },
      { query: "no", should_trigger: false },
    ],
    ["yes", "- no"],
  ],
  [
    "lists of texts",
    { should_trigger: ["one", "two"], should_not_trigger: ["three"], expected_behavior: ["loads it"] },
    ["one", "two", "- three"],
  ],
  [
    "other words for it",
    { "trigger-prompts": ["one"], negativeExamples: ["two"], notes: ["n"] },
    ["one", "- two"],
  ],
  [
    "marks of negative ones",
    [
      { prompt: "a", type: "negative" },
      { prompt: "b", should_not_trigger: true },
      { prompt: "c", expected: false },
      { prompt: "d", kind: "positive" },
      { prompt: "e", label: "No-Trigger" },
      { prompt: "f", negative: true },
      { prompt: "g", negative: false },
      { prompt: "h", trigger: false },
      { prompt: "i", triggers: true },
      { prompt: "j", note: "negative" },
    ],
    ["- a", "- b", "- c", "d", "- e", "- f", "g", "- h", "i", "j"],
  ],
  ["blank prompts", [{ prompt: "" }, { prompt: " \n" }, { prompts: ["\t"] }, { prompt: " x " }], [" x "]],
  ["keys however they are written", { "Should NOT-trigger": ["a"], TriggerPrompts: ["b"] }, ["- a", "b"]],
  ["maps below a negative one", { negative: true, cases: [{ query: "a", should_trigger: true }] }, ["- a"]],
  ["a negative list of maps", { negatives: [{ query: "a" }] }, ["- a"]],
  ["a positive list below a negative one", { negatives: { prompts: ["a"] } }, ["- a"]],
  ["a map in a list of texts", { prompts: ["a", { notes: ["n"], query: "b" }] }, ["a", "b"]],
  ["nested turns", { cases: [{ input: { task: "deep" } }] }, ["deep"]],
  ["something else", { name: "pdf", description: "no prompt" }, []],
  ["no object", "text", []],
  ["null", null, []],
])("the prompts of %s", (_what, json, prompts) => {
  expect(promptsIn(json)).toEqual(prompts);
});

test("a data set is cut, and endless nesting ends", () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({ prompt: `p${index}` }));
  expect(promptsIn(many)).toHaveLength(64);
  expect(promptsIn([[[[[[{ prompt: "six lists deep" }]]]]]])).toEqual(["six lists deep"]);
  expect(promptsIn([[[[[[[{ prompt: "seven lists deep" }]]]]]]])).toEqual([]);
  const maps = (levels: number): unknown =>
    levels === 0 ? { prompt: "bottom" } : { level: maps(levels - 1) };
  expect(promptsIn(maps(6))).toEqual(["bottom"]);
  expect(promptsIn(maps(7))).toEqual([]);
  expect(promptsIn({ prompts: [[[[["a text below six levels"]]]]] })).toEqual(["a text below six levels"]);
  expect(promptsIn({ prompts: [[[[[["a text below seven levels"]]]]]] })).toEqual([]);
  let deep: unknown = { prompt: "bottom" };
  for (let level = 0; level < 5_000; level++) deep = [deep];
  expect(promptsIn(deep)).toEqual([]);
});

test("the front matter has examples, triggers and prompts for other skills", () => {
  const fields = {
    examples: ["one", { user: "two", assistant: "no prompt" }],
    trigger: "three",
    when_to_use: "no prompt",
    metadata: { "negative-examples": ["four"] },
  };
  expect(frontMatterCases(fields)).toEqual([
    { prompt: "one", shouldTrigger: true, source: "examples" },
    { prompt: "two", shouldTrigger: true, source: "examples" },
    { prompt: "three", shouldTrigger: true, source: "trigger" },
    { prompt: "four", shouldTrigger: false, source: "negative-examples" },
  ]);
});

test.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
  ["a list of queries, which is for eval files", { queries: ["no prompt"] }, []],
  ["a text for its metadata", { metadata: "examples", prompts: "one" }, ["one"]],
  ["a map of triggers", { triggers: { prompts: ["one"], notes: ["no prompt"] } }, ["one"]],
  ["no list", { examples: null, triggers: 3, prompts: true }, []],
])("the prompts of front matter with %s", (_what, fields, prompts) => {
  expect(frontMatterCases(fields).map(({ prompt }) => prompt)).toEqual(prompts);
});
