import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createEventIds } from "../../../src/usage/record/event-id.ts";

const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("an id is a UUID of version 7 that begins with the time", () => {
  const next = createEventIds(
    () => 0x0192_3456_789a,
    () => new Uint8Array(8).fill(0xff),
  );
  expect(next()).toBe("01923456-789a-7000-bfff-ffffffffffff");
  expect(next()).toBe("01923456-789a-7001-bfff-ffffffffffff");
});

test("ids of one process differ and are in the order of the events, whatever the clock does", () => {
  const clock = fc.array(fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_020 }), { maxLength: 50 });
  fc.assert(
    fc.property(clock, fc.boolean(), (times, stands) => {
      let step = 0;
      const next = createEventIds(() => (stands ? 1_700_000_000_000 : (times[step++] ?? 0)), randomBytes);
      const ids = Array.from({ length: stands ? 5000 : times.length }, next);
      expect(ids.every((id) => SHAPE.test(id))).toBe(true);
      expect([...new Set(ids)].sort()).toEqual(ids);
    }),
    { numRuns: 30 },
  );
});

test("two processes at the same time make different ids", () => {
  const [one, other] = [createEventIds(() => 1, randomBytes), createEventIds(() => 1, randomBytes)];
  const ids = Array.from({ length: 1000 }, () => [one(), other()]).flat();
  expect(new Set(ids).size).toBe(2000);
});
