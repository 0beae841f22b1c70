import { expect, test } from "vitest";
import { chosenFrom } from "../src/install/choose-skills.ts";

const SKILLS = ["pdf", "Deploy", "notes"].map((name) => ({ name }));

test.each([
  ["all", ["pdf", "Deploy", "notes"]],
  ["ALL", ["pdf", "Deploy", "notes"]],
  ["1 3", ["pdf", "notes"]],
  ["2-3", ["Deploy", "notes"]],
  ["deploy, pdf", ["pdf", "Deploy"]],
  ["", []],
])("chosen skills: the answer '%s' chooses %j", (answer, names) => {
  expect(chosenFrom(SKILLS, answer).map(({ name }) => name)).toEqual(names);
});

test.each(["4", "0", "other", "../x"])("chosen skills: the answer '%s' is refused", (answer) => {
  expect(() => chosenFrom(SKILLS, answer)).toThrow(`'${answer}' is none of the skills`);
});
