import * as fc from "fast-check";
import { expect, test } from "vitest";
import { batchKey, type SendResult } from "../../src/deliver/endpoint.ts";
import { createSender } from "../../src/deliver/sender.ts";

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

const ACCEPTED: SendResult = { kind: "accepted" };
const AWAY: SendResult = { kind: "unavailable", reason: "away", retryAfterMs: undefined };

const placed = (lines: readonly string[]) => lines.map((text, index) => ({ text, at: index + 1 }));

test("sender: batches contain each event once, in order, within the limits", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 60 }),
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 1, max: 500 }),
      async (lines, mostEvents, mostBytes) => {
        const batches: (readonly string[])[] = [];
        const sendAll = createSender({
          async send(batch) {
            batches.push(batch);
            return ACCEPTED;
          },
          onRefused: async () => {},
          onDelivered: () => {},
          mostEvents,
          mostBytes,
        });
        const { done, failure } = await sendAll(placed(lines));
        expect([done ?? 0, failure]).toEqual([lines.length, undefined]);
        expect(batches.flat()).toEqual(wanted(lines));
        for (const batch of batches) {
          expect(batch.length).toBeGreaterThan(0);
          expect(batch.length).toBeLessThanOrEqual(mostEvents);
          // A batch may pass the limit of bytes by its last line only.
          expect(batch.slice(0, -1).join("").length).toBeLessThan(mostBytes);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("sender: with failures in between, no event is lost, and a batch that failed is repeated unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(40),
      fc.nat(10),
      fc.array(fc.boolean(), { maxLength: 20 }),
      async (count, more, failing) => {
        const all = Array.from({ length: count + more }, (_, n) => `{"type":"no_match","event_id":"${n}"}`);
        const accepted: string[] = [];
        let failed: readonly string[] | undefined;
        const sendAll = createSender({
          async send(batch) {
            if (failed !== undefined) expect(batch).toEqual(failed);
            failed = failing.pop() === true ? batch : undefined;
            if (failed === undefined) accepted.push(...batch);
            return failed === undefined ? ACCEPTED : AWAY;
          },
          onRefused: async () => {},
          onDelivered: () => {},
          mostEvents: 4,
        });
        let rest: readonly string[] = all.slice(0, count);
        for (let round = 0; round < 30; round++) {
          const { done = 0, failure } = await sendAll(placed(rest));
          if (failure === undefined) expect(done).toBe(rest.length);
          rest = round === 0 ? [...rest.slice(done), ...all.slice(count)] : rest.slice(done);
        }
        expect(rest).toEqual([]);
        expect(accepted).toEqual(all);
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
