import * as fc from "fast-check";
import { expect, test } from "vitest";
import { batchKey, createBatcher } from "../../src/deliver/batch.ts";

const NOW = Date.UTC(2026, 10, 15);

const event = fc.record(
  {
    type: fc.constant("no_match"),
    timestamp: fc.integer({ min: -2000, max: 0 }).map((ago) => new Date(NOW + ago).toISOString()),
    event_id: fc.integer({ min: 0, max: 15 }).map((n) => `id-${n}`),
    data: fc.record({ context: fc.string({ maxLength: 5 }) }),
  },
  { requiredKeys: ["type", "data"] },
);
const line = fc.oneof(
  { weight: 8, arbitrary: event.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.constantFrom("", "null", "[]", "7", '{"type":"no_ma', '{"type":3}', "\u0000") },
);

/** What the batches must contain: every event that is not a repeat, whatever its age. */
function wanted(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  const ids: string[] = [];
  for (const text of lines) {
    let value: { type?: unknown; event_id?: string } | null;
    try {
      value = JSON.parse(text) as typeof value;
    } catch {
      continue;
    }
    if (typeof value?.type !== "string") continue;
    if (value.event_id !== undefined && ids.includes(value.event_id)) continue;
    if (value.event_id !== undefined) ids.push(value.event_id);
    kept.push(text);
  }
  return kept;
}

test("batches contain each event once, in order, and respect the limits", () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 60 }),
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 1, max: 500 }),
      (lines, maxEvents, maxBytes) => {
        const cutAfter = wanted(lines)[2];
        const batcher = createBatcher({ maxEvents, maxBytes, cutAfter });
        const batches: (readonly string[])[] = [];
        for (const text of lines) {
          if (batcher.add(text) === "added" && batcher.isFull()) batches.push(batcher.take());
        }
        const whole = batches.length;
        batches.push(batcher.take());
        expect(batches.flat()).toEqual(wanted(lines));
        for (const [index, batch] of batches.entries()) {
          expect(batch.length).toBeLessThanOrEqual(maxEvents);
          // A batch may pass the limit of bytes by its last line only.
          expect(batch.slice(0, -1).join("").length).toBeLessThan(maxBytes);
          if (index < whole) expect(batch.length).toBeGreaterThan(0);
          if (cutAfter !== undefined && batch.slice(0, -1).includes(cutAfter)) expect.unreachable();
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("a batch's key depends on its events and their order, and on nothing else", () => {
  expect(batchKey(["a", "b"])).toBe(batchKey(["a", "b"]));
  const others = [["b", "a"], ["a"], ["ab"], ["a", "b", "c"]];
  expect(others.map((lines) => batchKey(lines))).not.toContain(batchKey(["a", "b"]));
});
