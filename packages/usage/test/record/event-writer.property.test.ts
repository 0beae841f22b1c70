import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { UsageEvent } from "../../src/events.ts";
import { createEventQueue } from "../../src/record/event-writer.ts";

const LIMIT = 5;

const action = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: "add" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "take" as const }) },
  { weight: 1, arbitrary: fc.nat(LIMIT).map((kept) => ({ kind: "settle" as const, kept })) },
);

const eventOf = (n: number): UsageEvent => ({
  type: "no_match",
  timestamp: "",
  server_id: "",
  event_id: String(n).padStart(3, "0"),
  data: {},
});

test("event queue: every event is taken, dropped or waiting, within the limit and in order", () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      let dropped = 0;
      let added = 0;
      let done = 0;
      const queue = createEventQueue(LIMIT, (count) => {
        dropped += count;
      });
      const outside: (readonly UsageEvent[])[] = [];
      for (const step of actions) {
        if (step.kind === "add") queue.add(eventOf(added++));
        else if (step.kind === "take") outside.push(queue.take());
        else {
          const taken = outside.shift() ?? [];
          const settled = Math.min(step.kept, taken.length);
          done += settled;
          queue.settle(taken, settled);
        }
        expect(queue.size()).toBeLessThanOrEqual(LIMIT);
        expect(done + dropped + queue.size()).toBe(added);
      }
      const left = queue.take().map(({ event_id }) => event_id);
      expect(left).toEqual([...left].sort());
    }),
    { numRuns: 2_000 },
  );
});

test("event queue: events taken by two callers return in order, whichever settles first", () => {
  const queue = createEventQueue(10, () => {});
  const takes = [0, 1].map((n) => {
    queue.add(eventOf(n));
    return queue.take();
  });
  queue.add(eventOf(2));
  for (const taken of takes) queue.settle(taken, 0);
  expect(queue.take()).toEqual([0, 1, 2].map(eventOf));
});

test("event queue: over the limit, the newest events stay", () => {
  const queue = createEventQueue(3, () => {});
  for (let n = 0; n < 10; n++) queue.add(eventOf(n));
  expect(queue.take()).toEqual([7, 8, 9].map(eventOf));
});
