import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createEventIds, recordedFields } from "../../src/create-usage.ts";

test("recorded fields: data that the event does not declare is left out", () => {
  const data = {
    skill_path: "api/auth",
    file: "scripts/login.sh",
    execution_mode: "server",
    success: true,
    exit_code: 0,
    duration_ms: 12,
    args_provided: ["user", "password"],
    args: { password: "hunter2" },
    stdout: "hunter2",
    token: "hunter2",
  };
  const { args: _, stdout: __, token: ___, ...kept } = data;
  expect(recordedFields("script_executed", data)).toEqual(kept);
});

test("recorded fields: a list contains only strings", () => {
  const args_provided = ["user", { password: "hunter2" }, ["hunter2"]];
  expect(recordedFields("script_executed", { args_provided })).toMatchObject({
    args_provided: ["user"],
  });
});

test("recorded fields: a long text is cut, and half of a character is replaced", () => {
  const { context } = recordedFields("no_match", { context: "😀".repeat(5000) });
  expect(context).toBe("😀".repeat(2048));
  const { context: odd } = recordedFields("no_match", { context: `x${"😀".repeat(5000)}` });
  expect(odd).toBe(`x${"😀".repeat(2047)}\uFFFD`);
});

test("recorded fields: a long list is cut, and so are its items", () => {
  const candidates = Array.from({ length: 500 }, (_, n) => `${n}${"x".repeat(500)}`);
  const kept = recordedFields("ambiguous", { context: "a", candidates })["candidates"] as string[];
  expect(kept).toHaveLength(100);
  expect(kept.every((name) => name.length === 256)).toBe(true);
});

test("recorded fields: numbers that JSON does not know are unknown, and null stays", () => {
  const data = { duration_ms: Number.NaN, exit_code: null };
  expect(recordedFields("script_executed", data)).toMatchObject({ duration_ms: null, exit_code: null });
});

const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("event id: is a UUID of version 7 that begins with the time", () => {
  const next = createEventIds(() => 0x0192_3456_789a);
  expect(next()).toMatch(/^01923456-789a-7000-/);
  expect(next()).toMatch(/^01923456-789a-7001-/);
});

test("event ids: those of one process differ and are in the order of the events, whatever the clock does", () => {
  const clock = fc.array(fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_020 }), { maxLength: 50 });
  fc.assert(
    fc.property(clock, fc.boolean(), (times, isStopped) => {
      let step = 0;
      const next = createEventIds(() => (isStopped ? 1_700_000_000_000 : (times[step++] ?? 0)));
      const ids = Array.from({ length: isStopped ? 5000 : times.length }, next);
      expect(ids.every((id) => SHAPE.test(id))).toBe(true);
      expect([...new Set(ids)].sort()).toEqual(ids);
    }),
    { numRuns: 30 },
  );
});

test("event ids: two processes at the same time make different ones", () => {
  const [one, other] = [createEventIds(() => 1), createEventIds(() => 1)];
  const ids = Array.from({ length: 1000 }, () => [one(), other()]).flat();
  expect(new Set(ids).size).toBe(2000);
});
