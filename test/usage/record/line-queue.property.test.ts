import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { UsageEvent } from "../../../src/usage/events.ts";
import { createLineQueue } from "../../../src/usage/record/line-queue.ts";

const LIMIT = 5;

const action = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: "add" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "take" as const }) },
  { weight: 1, arbitrary: fc.nat(LIMIT).map((kept) => ({ kind: "putBack" as const, kept })) },
);

const eventOf = (n: number): UsageEvent => ({
  type: "no_match",
  timestamp: "",
  server_id: "",
  event_id: String(n),
  data: {},
});

test("every event is taken, dropped or waiting, the limit holds, and the order stays", () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      let dropped = 0;
      let added = 0;
      let done = 0;
      const queue = createLineQueue(LIMIT, (count) => {
        dropped += count;
      });
      const outside: (readonly string[])[] = [];
      for (const step of actions) {
        if (step.kind === "add") queue.add(eventOf(added++));
        else if (step.kind === "take") outside.push(queue.take(({ event_id }) => event_id));
        else {
          const taken = outside.shift() ?? [];
          const remaining = taken.slice(step.kept);
          done += taken.length - remaining.length;
          queue.putBack(taken, remaining);
        }
        expect(queue.size()).toBeLessThanOrEqual(LIMIT);
        expect(done + dropped + queue.size()).toBe(added);
      }
      const left = queue.take(({ event_id }) => event_id).map(Number);
      expect(left).toEqual([...left].sort((a, b) => a - b));
    }),
    { numRuns: 2_000 },
  );
});

test("what two took comes back in order, whoever puts back first", () => {
  const queue = createLineQueue(10, () => {});
  const take = () => queue.take(({ event_id }) => event_id);
  const takes = [0, 1].map((n) => {
    queue.add(eventOf(n));
    return take();
  });
  queue.add(eventOf(2));
  for (const taken of takes) queue.putBack(taken, taken);
  expect(take()).toEqual(["0", "1", "2"]);
});

test("the newest are the ones that stay", () => {
  const queue = createLineQueue(3, () => {});
  for (let n = 0; n < 10; n++) queue.add(eventOf(n));
  expect(queue.take(({ event_id }) => event_id)).toEqual(["7", "8", "9"]);
});
