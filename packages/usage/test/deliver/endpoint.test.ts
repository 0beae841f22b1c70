import { expect, test } from "vitest";
import { retryAfterMs } from "../../src/deliver/endpoint.ts";

const NOW = Date.UTC(2026, 10, 15, 12);
const HOUR = 3_600_000;

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
