import { expect, test } from "vitest";
import { once, onFirstUse } from "../src/on-first-use.ts";

test("once: makes a value at the first call, also one that is undefined", () => {
  let made = 0;
  const get = once(() => {
    made++;
    return undefined;
  });
  expect(made).toBe(0);
  expect([get(), get(), made]).toEqual([undefined, undefined, 1]);
});

test("once: made() returns the value only after it was made", () => {
  const get = once(() => "value");
  expect(get.made()).toBeUndefined();
  get();
  expect(get.made()).toBe("value");
});

test("onFirstUse: makes each value when it is first read, and once", () => {
  const made: string[] = [];
  const value = (name: string) => () => {
    made.push(name);
    return name;
  };
  const both = onFirstUse<{ a: string; b: string }>({ a: value("a"), b: value("b") });
  expect(made).toEqual([]);
  expect([both.b, both.b]).toEqual(["b", "b"]);
  expect(made).toEqual(["b"]);
  expect({ ...both }).toEqual({ a: "a", b: "b" });
});
