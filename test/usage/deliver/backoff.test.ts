import { expect, test } from "vitest";
import { backoffMs, retryAfterMs } from "../../../src/usage/deliver/backoff.ts";

const NOW = Date.UTC(2026, 10, 15, 12);
const HOUR = 3_600_000;

test.each([
  [0, 0.9, 0],
  [1, 0, 0],
  [1, 0.5, 15_000],
  [2, 0.5, 30_000],
  [3, 0.5, 60_000],
  [6, 0.5, 450_000],
  [7, 0.5, 450_000],
  [5000, 0.5, 450_000],
])("after %i failures and with chance %d the endpoint is left alone for %i ms", (failures, chance, wait) => {
  expect(backoffMs(failures, 30_000, () => chance)).toBe(wait);
});

test.each([
  [undefined, undefined],
  ["", undefined],
  ["soon", undefined],
  ["0", 0],
  [" 120 ", 120_000],
  ["-5", 0],
  ["999999999999", HOUR],
  ["Sun, 15 Nov 2026 12:00:30 GMT", 30_000],
  ["Sun, 15 Nov 2026 11:00:00 GMT", 0],
  ["Sun, 15 Nov 2099 12:00:00 GMT", HOUR],
])("Retry-After: %s asks for %s ms", (header, wait) => {
  expect(retryAfterMs(header, NOW)).toBe(wait);
});
