import { expect, test } from "vitest";
import { adviceOn } from "../../src/matching/library-rules.ts";
import { librarySkill } from "./library-skills.ts";

const words = (count: number) => Array.from({ length: count }, (_, number) => `word${number}`);
const rules = (keywords: readonly string[]) =>
  adviceOn(librarySkill("a", { keywords })).map(({ rule }) => rule);

test.each([
  ["good keywords", ["react", "login"], []],
  ["25 keywords", words(25), []],
  ["26 keywords", words(26), ["many-keywords"]],
  ["a stop word", ["react", "the"], ["keyword-never-matches"]],
  ["punctuation alone", ["!?"], ["keyword-never-matches"]],
  ["the same keyword in another case", ["React", "react"], ["keyword-twice"]],
])("%s", (_what, keywords, expected) => {
  expect(rules(keywords)).toEqual(expected);
});

test("the advice names the keywords", () => {
  const [never, twice] = adviceOn(librarySkill("a", { keywords: ["the", "of", "x", "x"] }));
  expect(never?.message).toContain("No task can match 'the', 'of':");
  expect(twice?.message).toBe("'x' is listed twice, so it counts twice.");
});
