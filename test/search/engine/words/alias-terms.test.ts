import { expect, test } from "vitest";
import {
  ALIASES_BY_TERMS,
  aliasesInText,
  aliasText,
  wholeTerms,
} from "../../../../src/search/engine/words/alias-terms.ts";
import { ALIASES } from "../../../../src/search/engine/words/aliases.ts";
import { wordsOf } from "../../../../src/search/engine/words/analyse.ts";

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
