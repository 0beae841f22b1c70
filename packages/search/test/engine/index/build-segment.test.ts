import { expect, test } from "vitest";
import {
  BODY,
  createSegmentBuilder,
  DESCRIPTION,
  EXAMPLES,
  KEYWORDS,
  NAME,
  type SearchDocument,
} from "../../../src/engine/index/build-segment.ts";
import {
  findTerm,
  holdsPair,
  pairHash,
  postingsAt,
  type Segment,
  termAt,
  termCount,
  termHash,
} from "../../../src/engine/index/segment.ts";
import { runToEnd } from "../../../src/engine/steps.ts";
import { doc } from "../corpora.ts";

function segmentOf(...documents: readonly Partial<SearchDocument>[]): Segment {
  const builder = createSegmentBuilder();
  for (const [number, rest] of documents.entries()) builder.add(doc(`s${number}`, { name: "", ...rest }));
  return runToEnd(builder.finish());
}

const termsOf = ({ terms }: Segment) =>
  Array.from({ length: termCount(terms) }, (_, term) => termAt(terms, term));
const lengthsOf = ({ lengths }: Segment, number = 0) => lengths.map((values) => values[number]);

/** Whether two words are close together, above the body and in it. */
function closeIn({ pairs, pairStarts }: Segment, one: string, other: string, number = 0) {
  const hash = pairHash(termHash(one), termHash(other));
  const [above = 0, body = 0, end = 0] = pairStarts.subarray(2 * number);
  return { above: holdsPair(pairs, above, body, hash), body: holdsPair(pairs, body, end, hash) };
}

test("the terms of each field are counted", () => {
  const segment = segmentOf({
    name: "pdf",
    description: "Fills forms, a form each",
    keywords: ["acrobat pdf", "getUser"],
    examples: ["sign it", "sign the form"],
    body: "form\n\nform",
  });
  expect(lengthsOf(segment)).toEqual([1, 3, 3, 3, 2]);
  expect(termsOf(segment)).toEqual(["acrobat", "fill", "form", "getus", "pdf", "sign", "user"]);
  const { start, end } = postingsAt(segment, findTerm(segment.terms, "form"));
  expect(Array.from(segment.postingCounts.subarray(start, end))).toEqual([(2 << 11) | (1 << 6) | 2]);
});

test("counts of one document do not reach the next", () => {
  const segment = segmentOf({ body: "form form" }, { body: "other" }, { body: "form" });
  const { start, end } = postingsAt(segment, findTerm(segment.terms, "form"));
  expect(Array.from(segment.postingDocs.subarray(start, end))).toEqual([0, 2]);
  expect(Array.from(segment.postingCounts.subarray(start, end))).toEqual([2, 1]);
});

test.each<[string, (text: string) => Partial<SearchDocument>]>([
  ["a name", (name) => ({ name })],
  ["a description", (description) => ({ description })],
  ["a keyword", (keyword) => ({ keywords: [keyword] })],
  ["an example", (example) => ({ examples: [example] })],
  ["a body", (body) => ({ body })],
])("%s is indexed up to 16,000 characters", (_what, withText) => {
  const padded = (length: number) => `${".".repeat(length - " zebra".length)} zebra`;
  expect(termsOf(segmentOf(withText(padded(16_000))))).toEqual(["zebra"]);
  expect(termsOf(segmentOf(withText(padded(16_001))))).toEqual(["zebr"]);
  expect(termsOf(segmentOf(withText(padded(16_005))))).toEqual([]);
});

test("a field has at most 65,535 terms", () => {
  const words = (count: number) => "z ".repeat(count);
  const eight = Array.from({ length: 8 }, () => words(8_000));
  const lengthWith = (more: number) => lengthsOf(segmentOf({ keywords: [...eight, words(more)] }))[KEYWORDS];
  expect([1_534, 1_535, 1_536].map(lengthWith)).toEqual([65_534, 65_535, 65_535]);
});

test.each([
  ["next to each other", "code review", true],
  ["in the other order", "review code", true],
  ["with one between them", "code quality review", true],
  ["with a stop word between them", "code and the review", true],
  ["with one before both", "new code review", true],
  ["with two between them", "code quality style review", false],
])("words %s are close together or not", (_what, text, isClose) => {
  expect(closeIn(segmentOf({ description: text }), "code", "review")).toEqual({
    above: isClose,
    body: false,
  });
  expect(closeIn(segmentOf({ body: text }), "code", "review")).toEqual({ above: false, body: isClose });
});

test("a word is not close to itself, nor to words of another text or document", () => {
  expect(closeIn(segmentOf({ description: "code code code" }), "code", "code").above).toBe(false);
  expect(closeIn(segmentOf({ keywords: ["code", "review"] }), "code", "review").above).toBe(false);
  expect(closeIn(segmentOf({ name: "code", description: "review" }), "code", "review").above).toBe(false);
  const two = segmentOf({ description: "code review" }, { description: "code" });
  expect(closeIn(two, "code", "review", 0).above).toBe(true);
  expect(closeIn(two, "code", "review", 1).above).toBe(false);
});

test("the fields of a segment are in their order", () => {
  const segment = segmentOf({ name: "a1", body: "b1 b2 b3 b4 b5" });
  expect([NAME, DESCRIPTION, KEYWORDS, EXAMPLES, BODY].map((field) => lengthsOf(segment)[field])).toEqual([
    1, 0, 0, 0, 5,
  ]);
});
