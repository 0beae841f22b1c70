import fc from "fast-check";
import { expect, test } from "vitest";
import { sortedInSteps } from "../../src/catalog/sort-in-steps.ts";
import { runToEnd } from "../../src/catalog/steps.ts";

test("gives what a stable sort gives", () => {
  const items = fc.array(fc.tuple(fc.nat({ max: 20 }), fc.nat()), { maxLength: 2_000, size: "max" });
  const byFirst = (a: readonly [number, number], b: readonly [number, number]): number => a[0] - b[0];
  fc.assert(
    fc.property(items, (all) => {
      expect(runToEnd(sortedInSteps(all, byFirst))).toEqual(all.toSorted(byFirst));
    }),
    { numRuns: 30 },
  );
});
