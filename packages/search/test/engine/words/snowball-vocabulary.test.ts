import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { stemEnglish } from "../../../src/engine/words/porter2.ts";

/**
 * The vocabulary that the Snowball project publishes with its English stemmer, in its edition of 2021, with their stems
 * (`snowball-english.LICENSE`). A line has the number of letters that a word shares with the one before, in base 36, and its other
 * letters; then, if it is not its own stem, how many letters are dropped and what is put in their place.
 */
function publishedStems(): ReadonlyMap<string, string> {
  const file = new URL("snowball-english.txt.br", import.meta.url);
  const stems = new Map<string, string>();
  let word = "";
  for (const line of brotliDecompressSync(readFileSync(file)).toString("utf8").split("\n")) {
    const [rest = "", change] = line.split(" ");
    word = word.slice(0, Number.parseInt(rest.charAt(0), 36)) + rest.slice(1);
    const dropped = Number.parseInt(change ?? "0", 10);
    stems.set(word, word.slice(0, word.length - dropped) + (change ?? "").replace(/^\d+/, ""));
  }
  return stems;
}

/** What the algorithm has changed since that edition: stem: words. */
const CHANGED = `
  add: added adding
  apolog: apologists
  archaeolog: archaeologists
  ebb: ebbed ebbing
  emergenc: emergency
  entomolog: entomologist
  err: erred erring
  evening: evening evenings
  genealog: genealogist
  geolog: geologist geologists
  interfer: interfered interfering
  internal: internal internally
  internat: international
  interval: interval intervals
  lateral: lateral laterally
  off: offing
  organic: organic organically
  organism: organism
  organiz: organization organizations organized
  ornitholog: ornithologist ornithologists
  paste: pasted
  psycholog: psychologist
  universal: universal universally
  universiti: university
`;

test("the stemmer agrees with the published vocabulary of 29,417 words but for what changed since", () => {
  const expected = new Map(publishedStems());
  expect(expected.size).toBe(29_417);
  for (const line of CHANGED.trim().split("\n")) {
    const [stem = "", words = ""] = line.trim().split(": ");
    for (const word of words.split(" ")) expected.set(word, stem);
  }
  const wrong = [...expected].flatMap(([word, stem]) => {
    const found = stemEnglish(word);
    return found === stem ? [] : [`${word}: ${found}, not ${stem}`];
  });
  expect(wrong).toEqual([]);
});
