import { expect, test } from "vitest";
import {
  ALIASES_BY_TERMS,
  aliasesInText,
  aliasText,
  wholeTerms,
} from "../../../src/engine/words/alias-terms.ts";
import { ALIASES } from "../../../src/engine/words/aliases.ts";
import { wordsOf } from "../../../src/engine/words/analyse.ts";

test("aliases are found in a text as they are in the table", () => {
  const keys = [
    ...new Set([...ALIASES.keys()].map((phrase) => wordsOf(phrase).flatMap(wholeTerms).join(" "))),
  ];
  const found = aliasesInText(aliasText());
  expect(keys.length).toBeGreaterThan(100);
  for (const key of keys) expect(found.get(key)).toEqual(ALIASES_BY_TERMS.get(key));
  for (const key of ["", "x", `${keys[0]} `, keys[0]?.slice(1) ?? ""]) {
    expect(found.get(key)).toEqual(ALIASES_BY_TERMS.get(key));
  }
});

test.each([
  ["a word is its term", "Databases", ["databas"]],
  ["a split word is its whole", "user_name", ["usernam"]],
  ["a stop word is nothing", "the", []],
  ["an unspaced word is its parts", "图表", ["图", "图表", "表"]],
])("in a phrase, %s", (_what, word, terms) => {
  expect(wholeTerms(word)).toEqual(terms);
});

test.each([
  ["a word in any form", "databas", ["db"]],
  ["a phrase, without its stop words", "infrastructur code", ["iac"]],
  ["several phrases of the same terms", "plan", ["planning", "schedule", "plan", "schedule"]],
  ["a word that is not a term", "database", undefined],
])("by terms there are aliases of %s", (_what, terms, phrases) => {
  expect(ALIASES_BY_TERMS.get(terms)?.map(({ phrase }) => phrase)).toEqual(phrases);
});

test("a text of aliases has a line for each entry", () => {
  const found = aliasesInText("\na\tb=c=0.9|d e=0.3\na b\tx=1\nb\ty=0.5\n");
  expect(found.get("a")).toEqual([
    { phrase: "b=c", share: 0.9 },
    { phrase: "d e", share: 0.3 },
  ]);
  expect(found.get("a b")).toEqual([{ phrase: "x", share: 1 }]);
  expect(found.get("b")).toEqual([{ phrase: "y", share: 0.5 }]);
  expect(found.get("c")).toBeUndefined();
});
