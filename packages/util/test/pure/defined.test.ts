import { expect, test } from "vitest";
import { defined } from "../../src/pure/json.ts";

test.each([
  [{}, []],
  [{ a: undefined }, []],
  [{ a: 1, b: undefined, c: null }, ["a", "c"]],
  [{ a: 0, b: "", c: false }, ["a", "b", "c"]],
])("defined: of %j, only fields with a value are left", (fields, names) => {
  expect(Object.keys(defined(fields))).toEqual(names);
});
