import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { debounce } from "../../src/tasks/single-flight.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function counted() {
  const firedAt: number[] = [];
  const startedAt = Date.now();
  const call = debounce(() => firedAt.push(Date.now() - startedAt), 500, 2_000);
  return { call, firedAt };
}

test("one call acts once, after the pause", () => {
  const { call, firedAt } = counted();
  call();
  vi.advanceTimersByTime(499);
  expect(firedAt).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(firedAt).toEqual([500]);
});

test("the last call of a burst counts (P10)", () => {
  const { call, firedAt } = counted();
  call();
  vi.advanceTimersByTime(100);
  call();
  vi.advanceTimersByTime(10_000);
  expect(firedAt).toEqual([600]);
});

test("an endless burst acts every longest wait, and once more after its end", () => {
  const { call, firedAt } = counted();
  for (let at = 0; at < 4_500; at += 100) {
    call();
    vi.advanceTimersByTime(100);
  }
  vi.advanceTimersByTime(10_000);
  expect(firedAt).toEqual([2_000, 4_000, 4_900]);
});

test("a call after the action begins a new burst with its own deadline", () => {
  const { call, firedAt } = counted();
  call();
  vi.advanceTimersByTime(1_900);
  call();
  vi.advanceTimersByTime(400);
  call();
  vi.advanceTimersByTime(10_000);
  expect(firedAt).toEqual([500, 2_800]);
});

test("cancel drops what is due, twice is fine, and a later call works again", () => {
  const { call, firedAt } = counted();
  call.cancel();
  call();
  call.cancel();
  call.cancel();
  vi.advanceTimersByTime(10_000);
  expect(firedAt).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
  call();
  vi.advanceTimersByTime(10_000);
  expect(firedAt).toEqual([10_500]);
});

test("an action may call again", () => {
  let fired = 0;
  const call = debounce(
    () => {
      if (++fired < 3) call();
    },
    500,
    2_000,
  );
  call();
  vi.advanceTimersByTime(10_000);
  expect(fired).toBe(3);
});

test("a clock that is set back does not delay the action beyond the pause", () => {
  const { call, firedAt } = counted();
  call();
  vi.setSystemTime(Date.now() - 3_600_000);
  call();
  vi.advanceTimersByTime(500);
  expect(firedAt).toHaveLength(1);
});
