import { expect, test } from "vitest";
import { adviceOn } from "../../../src/catalog/library/library-rules.ts";
import { librarySkill } from "./library-skills.ts";

const words = (count: number) => Array.from({ length: count }, (_, number) => `word${number}`);
const rules = (keywords: readonly string[], priority = 0) =>
  adviceOn(librarySkill("a", { keywords, priority })).map(({ rule }) => rule);

test.each([
  ["good keywords", ["react", "login"], 0, []],
  ["25 keywords", words(25), 0, []],
  ["26 keywords", words(26), 0, ["many-keywords"]],
  ["a stop word", ["react", "the"], 0, ["keyword-never-matches"]],
  ["punctuation alone", ["!?"], 0, ["keyword-never-matches"]],
  ["the same keyword in another case", ["React", "react"], 0, ["keyword-twice"]],
  ["a priority of 199", ["react"], 199, []],
  ["a priority of 200", ["react"], 200, ["priority"]],
])("%s", (_what, keywords, priority, expected) => {
  expect(rules(keywords, priority)).toEqual(expected);
});

test("the advice names the keywords and the numbers", () => {
  const [never, twice, priority] = adviceOn(
    librarySkill("a", { keywords: ["the", "of", "x", "x"], priority: 250 }),
  );
  expect(never?.message).toContain("No task can match 'the', 'of':");
  expect(twice?.message).toBe("'x' is listed twice, so it counts twice.");
  expect(priority?.message).toContain("A priority of 250 adds 0.25 to the score");
});
