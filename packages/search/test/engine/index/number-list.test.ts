import fc from "fast-check";
import { expect, test } from "vitest";
import { append, numberList, withRoomFor } from "../../../src/engine/index/segment.ts";

test("a list holds what was appended, however much, and is used again when its length is reset", () => {
  const list = numberList();
  const values = fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), {
    maxLength: 600,
    size: "max",
  });
  fc.assert(
    fc.property(values, (numbers) => {
      list.length = 0;
      for (const number of numbers) append(list, number);
      expect(list.values.subarray(0, list.length).join()).toBe(numbers.join());
    }),
    { numRuns: 15 },
  );
});

test.each([
  ["with room", 3, 4],
  ["that is full", 4, 8],
  ["one short", 5, 10],
  ["far too short", 100, 200],
])("an array %s has room for one more at the place", (_what, index, length) => {
  const values = Uint16Array.of(1, 2, 3, 4);
  const roomy = withRoomFor(values, index);
  expect(Array.from(roomy)).toEqual([1, 2, 3, 4, ...Array.from({ length: length - 4 }, () => 0)]);
  expect(roomy).toBeInstanceOf(Uint16Array);
  expect(roomy === values).toBe(length === 4);
});
