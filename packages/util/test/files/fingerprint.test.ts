import { rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { fingerprintAt, mayChangeUnseen, readWhenChanged } from "../../src/files/fingerprint.ts";

test("fingerprintAt: null for a missing file, another number after each change", () => {
  const file = createSandbox().path("rules.yaml");
  expect(fingerprintAt(file)).toBeNull();
  writeFileSync(file, "a");
  const first = fingerprintAt(file);
  expect(first).toEqual(expect.any(Number));
  expect(fingerprintAt(file)).toBe(first);
  writeFileSync(file, "ab");
  expect(fingerprintAt(file)).not.toBe(first);
});

test("readWhenChanged: reads once for each state of the file, a missing one included", () => {
  const file = createSandbox().path("rules.yaml");
  let reads = 0;
  const current = readWhenChanged(file, () => ++reads);
  expect([current(), current()]).toEqual([1, 1]);
  writeFileSync(file, "a");
  expect([current(), current()]).toEqual([2, 2]);
  rmSync(file);
  expect([current(), current()]).toEqual([3, 3]);
});

test("readWhenChanged: a failed read is tried again by the next call", async () => {
  const file = createSandbox().path("rules.yaml");
  let reads = 0;
  const current = readWhenChanged(file, async () => {
    if (++reads === 1) throw new Error("busy");
    return reads;
  });
  await expect(current()).rejects.toThrow("busy");
  await expect(current()).resolves.toBe(2);
  await expect(current()).resolves.toBe(2);
  const always = readWhenChanged(file, () => {
    throw new Error("wrong");
  });
  expect(always).toThrow("wrong");
  expect(always).toThrow("wrong");
});

test.each([
  ["a fine clock", 100_000.25, 100_000.25, 100_020, true],
  ["a fine clock", 100_000.25, 100_000.25, 100_030, false],
  ["a fine clock and a time that a program has set", 100_000.25, 90_000, 100_030, false],
  ["a fine clock and a time in the future", 100_000.25, 101_000, 100_030, true],
  ["a clock of two seconds", 100_000, 100_000, 102_400, true],
  ["a clock of two seconds", 100_000, 100_000, 102_600, false],
  ["a clock of ten milliseconds", 100_010, 100_000, 102_400, true],
])(
  "mayChangeUnseen: with %s, changed at %d and %d, read at %d: %s",
  (_clock, ctimeMs, mtimeMs, readAt, may) => {
    expect(mayChangeUnseen({ ctimeMs, mtimeMs }, readAt)).toBe(may);
  },
);
