import fc from "fast-check";
import { expect, test } from "vitest";
import { createTermReader, type TextTerms } from "../../../src/engine/index/text-terms.ts";
import { wholeTerms } from "../../../src/engine/words/alias-terms.ts";
import { termsOfWord, wordsOf } from "../../../src/engine/words/analyse.ts";
import { query } from "../corpora.ts";

/** A reader of texts, and the terms of what it read last. */
function termReader() {
  const terms: string[] = [];
  const read = createTermReader((term) => {
    const known = terms.indexOf(term);
    return known === -1 ? terms.push(term) - 1 : known;
  });
  return (text: string) => {
    const { mentioned, sequence, length } = read(text);
    const named = ({ values, length: count }: TextTerms["mentioned"]) =>
      Array.from(values.subarray(0, count), (number) => terms[number]);
    return { mentioned: named(mentioned), sequence: named(sequence), length };
  };
}

test.each([
  ["a word is one term", "Deploying", ["deploy"], ["deploy"], 1],
  ["a word that repeats is counted again", "form forms", ["form", "form"], ["form", "form"], 2],
  ["a split word is mentioned with its whole", "user_name", ["user", "name", "usernam"], ["usernam"], 2],
  ["a word between two stop words stands alone", "the form of", ["form"], ["form"], 1],
  ["an identifier of one part that counts", "getUser", ["user", "getus"], ["getus"], 1],
  ["an identifier of stop words has its whole", "isThe", ["isth"], ["isth"], 0],
  ["an unspaced word is its parts", "图表", ["图", "图表", "表"], ["图", "图表", "表"], 3],
  ["a word of two scripts is one term of each", "写React", ["写", "react"], ["写", "react"], 2],
  ["nothing is nothing", "", [], [], 0],
  ["stop words are nothing", "and the", [], [], 0],
])("%s", (_what, text, mentioned, sequence, length) => {
  expect(termReader()(text)).toEqual({ mentioned, sequence, length });
});

test("one text after another has the terms of its words", () => {
  fc.assert(
    fc.property(fc.array(query, { maxLength: 3 }), (texts) => {
      const read = termReader();
      for (const text of texts) {
        const words = wordsOf(text);
        const all = words.map(termsOfWord);
        expect(read(text)).toEqual({
          mentioned: all.flatMap(({ parts, joined }) => (joined === null ? parts : [...parts, joined])),
          sequence: words.flatMap(wholeTerms),
          length: all.flatMap(({ parts }) => parts).length,
        });
      }
    }),
  );
});
