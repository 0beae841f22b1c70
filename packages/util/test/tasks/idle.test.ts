import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createIdle } from "../../src/tasks/time-slice.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openIdle() {
  const idle = createIdle({ now: Date.now, idleMs: 100, longestMs: 1_000 });
  const done: number[] = [];
  const began = Date.now();
  return { idle, done, note: () => void done.push(Date.now() - began) };
}

test("idle: an action runs shortly after the last request", () => {
  const { idle, done, note } = openIdle();
  idle.whenIdle(note);
  expect(done).toEqual([]);
  vi.advanceTimersByTime(5_000);
  expect(done).toEqual([100]);
});

test("idle: an action waits while requests follow each other", () => {
  const { idle, done, note } = openIdle();
  idle.whenIdle(note);
  for (let question = 0; question < 10; question++) {
    idle.noteRequest();
    vi.advanceTimersByTime(50);
  }
  vi.advanceTimersByTime(5_000);
  // The last question came after 450 ms.
  expect(done).toEqual([550]);
});

test("idle: an action waits while a request is being answered", async () => {
  const { idle, done, note } = openIdle();
  idle.whenIdle(note);
  const answer = idle.during(new Promise((resolve) => setTimeout(() => resolve("found"), 420)));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await answer).toBe("found");
  expect(done).toHaveLength(1);
  expect(done[0]).toBeGreaterThanOrEqual(520);
  expect(done[0]).toBeLessThan(1_000);
});

test("someone whose answer failed does not wait any longer", async () => {
  const { idle, done, note } = openIdle();
  await expect(idle.during(Promise.reject(new Error("no")))).rejects.toThrow("no");
  idle.whenIdle(note);
  await vi.advanceTimersByTimeAsync(300);
  expect(done).toHaveLength(1);
});

test("idle: an action runs after the longest wait, however busy it is", () => {
  const { idle, done, note } = openIdle();
  idle.whenIdle(note);
  for (let question = 0; question < 100; question++) {
    idle.noteRequest();
    vi.advanceTimersByTime(20);
  }
  expect(done).toEqual([1_000]);
});

test("idle: actions can be cancelled, one by one or all at once", () => {
  const { idle, done, note } = openIdle();
  const giveUp = idle.whenIdle(note);
  idle.whenIdle(note);
  giveUp();
  idle.noteRequest();
  vi.advanceTimersByTime(50);
  idle.close();
  vi.advanceTimersByTime(5_000);
  expect(done).toEqual([]);
});
