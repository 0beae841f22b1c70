import { expect, test } from "vitest";
import { worthSuggesting } from "../../src/hints/run-hook.ts";

const WORDS = ["fill", "pdf", "form"];
const results = (scores: readonly number[], matched: readonly string[] = WORDS) =>
  scores.map((score, number) => ({ id: `${number}`, score, matched, instead: new Map(), copies: [] }));

test.each([
  ["nothing below the floor", "no_match", 0, results([]), []],
  ["nothing that is not sure", "ambiguous", 0.45, results([2, 1.9]), []],
  ["nothing for a word or two", "match", 0.9, results([2], ["looks", "good"]), []],
  ["what a sentence without spaces finds", "match", 0.9, results([2], ["填写表格字段"]), ["0"]],
  ["the one that is clear", "match", 0.9, results([2, 1.9]), ["0"]],
  ["two that are nearly as good", "ambiguous", 0.6, results([2, 1.9, 1.8]), ["0", "1"]],
  ["one when the next is much worse", "ambiguous", 0.6, results([2, 1.2]), ["0"]],
] as const)("hook: suggests %s", (_what, verdict, confidence, found, ids) => {
  expect(worthSuggesting({ verdict, confidence, results: found })).toEqual(ids);
});
