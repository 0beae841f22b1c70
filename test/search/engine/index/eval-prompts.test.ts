import { expect, test } from "vitest";
import { evalPromptsIn } from "../../../../src/search/engine/index/search-document.ts";

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
    ["yes"],
  ],
  ["nested turns", { cases: [{ input: { task: "deep" } }] }, ["deep"]],
  ["something else", { name: "pdf", description: "no prompt" }, []],
  ["no object", "text", []],
  ["null", null, []],
])("the prompts of %s", (_what, json, prompts) => {
  expect(evalPromptsIn(json)).toEqual(prompts);
});

test("a data set is cut, and endless nesting ends", () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({ prompt: `p${index}` }));
  expect(evalPromptsIn(many)).toHaveLength(64);
  expect(evalPromptsIn([[[[[[{ prompt: "six lists deep" }]]]]]])).toEqual(["six lists deep"]);
  expect(evalPromptsIn([[[[[[[{ prompt: "seven lists deep" }]]]]]]])).toEqual([]);
  let deep: unknown = { prompt: "bottom" };
  for (let level = 0; level < 5_000; level++) deep = [deep];
  expect(evalPromptsIn(deep)).toEqual([]);
});
