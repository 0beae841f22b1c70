import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQuiet } from "../../src/system/idle.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openQuiet() {
  const quiet = createQuiet({ now: Date.now, quietMs: 100, longestMs: 1_000 });
  const done: number[] = [];
  const began = Date.now();
  return { quiet, done, note: () => void done.push(Date.now() - began) };
}

test("what nobody waits for is done a moment later when nobody asks", () => {
  const { quiet, done, note } = openQuiet();
  quiet.soon(note);
  expect(done).toEqual([]);
  vi.advanceTimersByTime(5_000);
  expect(done).toEqual([100]);
});

test("it waits for as long as someone asks one thing after the other", () => {
  const { quiet, done, note } = openQuiet();
  quiet.soon(note);
  for (let question = 0; question < 10; question++) {
    quiet.asked();
    vi.advanceTimersByTime(50);
  }
  vi.advanceTimersByTime(5_000);
  // The last question came after 450 ms.
  expect(done).toEqual([550]);
});

test("it waits while someone waits for an answer", async () => {
  const { quiet, done, note } = openQuiet();
  quiet.soon(note);
  const answer = quiet.during(new Promise((resolve) => setTimeout(() => resolve("found"), 420)));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await answer).toBe("found");
  expect(done).toHaveLength(1);
  expect(done[0]).toBeGreaterThanOrEqual(520);
  expect(done[0]).toBeLessThan(1_000);
});

test("someone whose answer failed does not wait any longer", async () => {
  const { quiet, done, note } = openQuiet();
  await expect(quiet.during(Promise.reject(new Error("no")))).rejects.toThrow("no");
  quiet.soon(note);
  await vi.advanceTimersByTimeAsync(300);
  expect(done).toHaveLength(1);
});

test("it does not wait for ever", () => {
  const { quiet, done, note } = openQuiet();
  quiet.soon(note);
  for (let question = 0; question < 100; question++) {
    quiet.asked();
    vi.advanceTimersByTime(20);
  }
  expect(done).toEqual([1_000]);
});

test("it can be given up, one by one or all at once", () => {
  const { quiet, done, note } = openQuiet();
  const giveUp = quiet.soon(note);
  quiet.soon(note);
  giveUp();
  quiet.asked();
  vi.advanceTimersByTime(50);
  quiet.close();
  vi.advanceTimersByTime(5_000);
  expect(done).toEqual([]);
});
