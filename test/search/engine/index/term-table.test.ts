import fc from "fast-check";
import { expect, test } from "vitest";
import {
  findTerm,
  firstTermFrom,
  termAt,
  termCount,
  termTableOf,
} from "../../../../src/search/engine/index/term-table.ts";

test("a table finds every term, and where any other would be", () => {
  const terms = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 })).map((all) => all.sort());
  fc.assert(
    fc.property(terms, fc.string({ maxLength: 3 }), (sorted, other) => {
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
