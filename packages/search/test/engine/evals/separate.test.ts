import { describe, expect, test } from "vitest";
import type { Collision } from "../../../src/engine/evals/collisions.ts";
import { separateSkills } from "../../../src/engine/evals/separate.ts";
import { runToEnd } from "../../../src/engine/steps.ts";
import { corpusOf, type Given } from "./eval-corpus.ts";

const collision = (first: string, second: string): Collision => ({
  ...{ first, second, firstLost: 1, secondLost: 0, overlap: 0.5 },
});

const ONE = { name: "pdf", description: "Reads reports." };
const OTHER = { name: "acrobat", description: "Reads reports." };
const THIRD = { name: "charts", description: "Draws diagrams." };

function separate(...given: readonly Given[]) {
  return runToEnd(separateSkills(corpusOf(given), [collision("pdf", "acrobat")]));
}

/** The words that would separate the first of three skills from the second, best first. */
function wordsFor(one: Partial<Given>, other: Partial<Given> = {}, third: Partial<Given> = {}) {
  const found = separate({ ...ONE, ...one }, { ...OTHER, ...other }, { ...THIRD, ...third });
  return found.find(({ skill }) => skill === "pdf")?.words;
}

describe("the words that separate a skill from another", () => {
  test.each<[string, Partial<Given>, Partial<Given>, readonly string[] | undefined]>([
    ["are in its body", { body: "Zebras and walruses." }, {}, ["walruses", "zebras"]],
    ["are not in its name or description", { body: "A PDF reads a report: zebra." }, {}, ["zebra"]],
    ["are not among its keywords", { keywords: ["yak"], body: "yak zebra" }, {}, ["zebra"]],
    ["are not in the body of the other", { body: "yak zebra" }, { body: "yak" }, ["zebra"]],
    ["are not in the description of the other", { body: "yak zebra" }, { description: "Yaks." }, ["zebra"]],
    ["are not in a prompt of the other", { prompts: ["yak zebra"] }, { prompts: ["yak"] }, ["zebra"]],
    ["may be in what the other is not for", { prompts: ["yak"] }, { negatives: ["yak"] }, ["yak"]],
    ["are not in a prompt for other skills", { body: "zebra", negatives: ["yak"] }, {}, ["zebra"]],
    ["have at least three letters", { body: "ab abc" }, {}, ["abc"]],
    ["are each proposed once", { body: "zebraHouse zebraHouses" }, {}, ["zebrahouse"]],
    ["are no numbers", { body: "2024 3d zebra" }, {}, ["zebra"]],
    ["are five at most", { body: "fff eee ddd ccc bbb aaa" }, {}, ["aaa", "bbb", "ccc", "ddd", "eee"]],
    ["may not exist", { body: "the report" }, {}, undefined],
  ])("%s", (_what, one, other, words) => {
    expect(wordsFor(one, other)).toEqual(words);
  });

  test("come first when fewer skills have them", () => {
    const body = "yak zebra";
    expect(wordsFor({ body })).toEqual(["yak", "zebra"]);
    expect(wordsFor({ body }, {}, { description: "Yaks." })).toEqual(["zebra", "yak"]);
    expect(wordsFor({ body }, {}, { body: "Yaks." })).toEqual(["zebra", "yak"]);
  });

  test("come first when a prompt has them, unless five paragraphs have another", () => {
    const paragraphs = (count: number) => Array.from({ length: count }, () => "yak").join("\n \n");
    expect(wordsFor({ prompts: ["zebra"], body: paragraphs(4) })).toEqual(["zebra", "yak"]);
    expect(wordsFor({ prompts: ["zebra"], body: paragraphs(5) })).toEqual(["yak", "zebra"]);
    expect(wordsFor({ prompts: ["zebra"], body: "yak\nyak\nyak\nyak\nyak" })).toEqual(["zebra", "yak"]);
  });

  test("separating words come from the first 8,000 characters of both bodies", () => {
    const behind = (length: number) => `${".".repeat(length - 1)} zebra`;
    expect(wordsFor({ body: behind(7_995) })).toEqual(["zebra"]);
    expect(wordsFor({ body: behind(7_996) })).toEqual(["zebr"]);
    expect(wordsFor({ body: behind(8_000) })).toBeUndefined();
    expect(wordsFor({ body: "zebra" }, { body: behind(7_995) })).toBeUndefined();
    expect(wordsFor({ body: "zebra" }, { body: behind(7_996) })).toEqual(["zebra"]);
  });

  test("the rarity of separating words is measured in the first 8,000 characters of all bodies", () => {
    const behind = (length: number) => `${".".repeat(length - 1)} yak`;
    expect(wordsFor({ body: "yak zebra" }, {}, { body: behind(7_997) })).toEqual(["zebra", "yak"]);
    expect(wordsFor({ body: "yak zebra" }, {}, { body: behind(7_998) })).toEqual(["yak", "zebra"]);
  });
});

test("both skills of a collision may be separated, each with what it would gain", () => {
  expect(separate({ ...ONE, prompts: ["zebra"] }, { ...OTHER, prompts: ["walrus", "yak"] }, THIRD)).toEqual([
    { skill: "pdf", from: "acrobat", words: ["zebra"], before: 0, after: 1, prompts: 3 },
    { skill: "acrobat", from: "pdf", words: ["walrus", "yak"], before: 0, after: 2, prompts: 3 },
  ]);
});

test("words that no prompt can prove are proposed, and words that help no prompt are not", () => {
  expect(separate({ ...ONE, body: "zebra" }, OTHER)).toEqual([
    { skill: "pdf", from: "acrobat", words: ["zebra"], before: 0, after: 0, prompts: 0 },
  ]);
  expect(separate({ ...ONE, body: "zebra" }, { ...OTHER, prompts: ["acrobat"] })).toEqual([]);
});

test("a collision with a skill that is not evaluated proposes nothing", () => {
  const corpus = corpusOf([{ ...ONE, body: "zebra" }]);
  const collisions = [collision("pdf", "unknown"), collision("another", "pdf")];
  expect(runToEnd(separateSkills(corpus, collisions))).toEqual([]);
});
