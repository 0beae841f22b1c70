import fc from "fast-check";
import { expect, test } from "vitest";
import { codePoint } from "../../../../../test/support/code-point.ts";
import {
  findTerm,
  firstTermFrom,
  termAt,
  termCount,
  termTableOf,
} from "../../../src/engine/index/segment.ts";

test.each([
  ["of all kinds", fc.string({ unit: codePoint, maxLength: 3 })],
  ["that are nearly alike", fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 4 })],
])("a table finds every term, and where any other would be, among terms %s", (_what, term) => {
  const terms = fc.uniqueArray(term.filter((one) => one !== "")).map((all) => all.sort());
  fc.assert(
    fc.property(terms, term, (sorted, other) => {
      const table = termTableOf(sorted);
      expect(termCount(table)).toBe(sorted.length);
      expect(sorted.map((_, number) => termAt(table, number))).toEqual(sorted);
      expect(sorted.map((term) => findTerm(table, term))).toEqual([...sorted.keys()]);
      expect(findTerm(table, other)).toBe(sorted.indexOf(other));
      const first = sorted.findIndex((term) => term >= other);
      expect(firstTermFrom(table, other)).toBe(first === -1 ? sorted.length : first);
    }),
  );
});
