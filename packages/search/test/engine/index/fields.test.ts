import fc from "fast-check";
import { expect, test } from "vitest";
import {
  ABOVE_BODY,
  BODY,
  BODY_MASK,
  DESCRIPTION,
  DESCRIPTION_SHIFT,
  EXAMPLES,
  EXAMPLES_SHIFT,
  IN_DESCRIPTION,
  KEYWORDS,
  KEYWORDS_SHIFT,
  NAME,
  NAME_SHIFT,
  withOccurrence,
} from "../../../src/engine/index/build-segment.ts";

const FIELDS = [NAME, DESCRIPTION, KEYWORDS, EXAMPLES, BODY];
const SHIFTS = [NAME_SHIFT, DESCRIPTION_SHIFT, KEYWORDS_SHIFT, EXAMPLES_SHIFT, 0];
const MOST = [3, 7, 3, 7, 63];

const countsIn = (packed: number) =>
  FIELDS.map((field) => (packed >>> (SHIFTS[field] ?? 0)) & (MOST[field] ?? 0));

test("occurrences are counted by field, up to the most that fit", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...FIELDS, BODY, BODY, BODY), { maxLength: 200 }), (occurrences) => {
      const packed = occurrences.reduce(withOccurrence, 0);
      const counts = FIELDS.map((field) => occurrences.filter((one) => one === field).length);
      expect(countsIn(packed)).toEqual(counts.map((count, field) => Math.min(count, MOST[field] ?? 0)));
    }),
  );
});

test.each([
  ["the name", NAME, 3],
  ["the description", DESCRIPTION, 7],
  ["keywords", KEYWORDS, 3],
  ["examples", EXAMPLES, 7],
  ["the body", BODY, 63],
])("in %s the most that fit stay, and change no other field", (_what, field, most) => {
  const full = Array.from({ length: most }, () => field).reduce(withOccurrence, 0);
  expect(countsIn(full)).toEqual(FIELDS.map((other) => (other === field ? most : 0)));
  expect(withOccurrence(full, field)).toBe(full);
  expect(withOccurrence(full - (1 << (SHIFTS[field] ?? 0)), field)).toBe(full);
});

test("all counts together take 16 bits, and masks divide them", () => {
  const all = FIELDS.flatMap((field) => Array.from({ length: 63 }, () => field)).reduce(withOccurrence, 0);
  expect(all).toBe(0xffff);
  expect(ABOVE_BODY | BODY_MASK).toBe(0xffff);
  expect(ABOVE_BODY & BODY_MASK).toBe(0);
  expect(countsIn(IN_DESCRIPTION)).toEqual([0, 7, 0, 0, 0]);
});
