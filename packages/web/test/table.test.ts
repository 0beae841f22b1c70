import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFacts } from "../src/skills/facts.ts";
import { createRows } from "../src/skills/rows.ts";
import {
  columnsParam,
  DEFAULT_COLUMNS,
  groupRows,
  nextPlace,
  nextSort,
  readTable,
  slotOf,
  sortRows,
  viewAt,
} from "../src/skills/table.ts";

const one = (values: readonly string[], at: readonly number[]) => ({ values, at });

/** pdf (used twice), xlsx (never, with an error), mail (once) and old (disabled). */
const rows = createRows({
  tag: "t",
  count: 4,
  name: ["pdf", "xlsx", "Mail", "old"],
  description: ["", "", "", ""],
  provider: one(["claude", "codex"], [0, 1, 0, 1]),
  location: one(["user"], [0, 0, 0, 0]),
  plugin: one([""], [0, 0, 0, 0]),
  status: one(["ok", "disabled"], [0, 0, 0, 1]),
  folder: one(["/s/"], [0, 0, 0, 0]),
  tail: ["pdf/SKILL.md", "xlsx/SKILL.md", "mail/SKILL.md", "old/.SKILL.md"],
});
const FACTS = {
  tag: "t",
  tokens: [40, 10, 30, 20],
  changed: [3, 4, 1, 0],
  source: one(["acme/skills", "local"], [0, 1, 1, 1]),
  uses: [2, 0, 1, 0],
  readByAgents: [0],
  lastUsed: one(["2026-11-16", "", "2026-11-17"], [0, 1, 2, 1]),
};
const FINDINGS = { tag: "t", rows: [1, 2], errors: [1, 0], others: [0, 7] };
const facts = createFacts("t", FACTS, FINDINGS);
const ALL = [0, 1, 2, 3];

describe("sorting", () => {
  test.each([
    ["", [0, 1, 2, 3]],
    ["name", [2, 3, 0, 1]],
    ["-name", [1, 0, 3, 2]],
    ["-tokens", [0, 2, 3, 1]],
    ["provider", [0, 2, 1, 3]],
    ["source", [0, 1, 2, 3]],
    ["-uses", [0, 2, 1, 3]],
    ["lastUsed", [0, 2, 1, 3]],
    ["-lastUsed", [2, 0, 1, 3]],
    ["changed", [2, 0, 1, 3]],
    ["-findings", [1, 2, 0, 3]],
    ["nonsense", [0, 1, 2, 3]],
  ])("by '%s'", (sort, expected) => {
    expect(sortRows(rows, facts, ALL, readTable(new URLSearchParams({ sort })))).toEqual(expected);
  });

  test("by what is not there yet changes nothing, and facts of another list count for nothing", () => {
    const none = createFacts("t", { ...FACTS, tag: "u" }, undefined);
    expect(sortRows(rows, none, ALL, readTable(new URLSearchParams("sort=-uses")))).toEqual(ALL);
  });

  test("goes one way, the other way and back with clicks on a heading", () => {
    const after = (sort: string | undefined, key: "name" | "uses") =>
      nextSort(readTable(new URLSearchParams(sort === undefined ? {} : { sort })), key);
    expect([after(undefined, "name"), after("name", "name"), after("-name", "name")]).toEqual([
      "name",
      "-name",
      undefined,
    ]);
    expect([after("name", "uses"), after("-uses", "uses"), after("uses", "uses")]).toEqual([
      "-uses",
      "uses",
      undefined,
    ]);
  });
});

describe("groups", () => {
  test("are the largest first, keep the order within, and close", () => {
    const { lines, groups } = groupRows(rows, facts, [1, 0, 2, 3], "source", new Set());
    expect(lines).toEqual([-1, 1, 2, 3, -2, 0]);
    expect(groups.map(({ label }) => label)).toEqual(["local", "acme/skills"]);
    expect(groupRows(rows, facts, ALL, "source", new Set(["local"])).lines).toEqual([-1, -2, 0]);
    expect(groupRows(rows, facts, ALL, "status", new Set()).groups.map(({ label }) => label)).toEqual([
      "Served",
      "Disabled",
    ]);
    expect(groupRows(rows, facts, ALL, undefined, new Set())).toEqual({ lines: ALL, groups: [] });
  });

  test.each([
    [[-1, 5, 6, -2, 7], 1, 2, 2],
    [[-1, 5, 6, -2, 7], 2, 3, 4],
    [[-1, 5, 6, -2, 7], 4, 3, 2],
    [[-1, 5, 6, -2, 7], 1, 0, 1],
    [[-1, 5, 6, -2, 7], 2, 99, 4],
    [[-1, -2], 0, 1, 1],
    [[3, 4], 0, -5, 0],
  ])("are passed over by the keys: %j from %i to %i", (lines, from, to, expected) => {
    expect(nextPlace(lines, from, to)).toBe(expected);
  });
});

describe("the elements of a list that scrolls", () => {
  const places = fc.array(fc.tuple(fc.nat(10_000), fc.integer({ min: 1, max: 40 })), { minLength: 1 });
  const slots = (view: Parameters<typeof slotOf>[0]) =>
    Array.from({ length: view.count }, (_, index) => slotOf(view, view.first + index));

  test("are one for each line; a line that stays keeps its own, and after a jump none is moved", () => {
    fc.assert(
      fc.property(places, (steps) => {
        let view = { first: 0, count: 40, base: 0 };
        for (const [first, count] of steps) {
          const next = viewAt(view, first, count);
          expect([next.first, next.count]).toEqual([first, count]);
          expect(new Set(slots(next)).size).toBe(count);
          const isJump = Math.abs(first - view.first) >= count;
          if (view.count === count && isJump) expect(slots(next)).toEqual(slots(view));
          if (view.count === count && !isJump)
            for (
              let place = Math.max(first, view.first);
              place < Math.min(first, view.first) + count;
              place++
            )
              expect(slotOf(next, place)).toBe(slotOf(view, place));
          view = next;
        }
      }),
    );
  });

  test("are the same view as long as nothing scrolled", () => {
    const view = { first: 7, count: 20, base: 3 };
    expect(viewAt(view, 7, 20)).toBe(view);
  });
});

test("columns are in the address only if they are not the usual ones", () => {
  expect(columnsParam(DEFAULT_COLUMNS)).toBe(undefined);
  expect(columnsParam(["uses", "tokens"])).toBe("tokens,uses");
  expect(columnsParam([])).toBe("none");
  expect(readTable(new URLSearchParams("cols=uses,tokens,x")).columns).toEqual(["tokens", "uses"]);
  expect(readTable(new URLSearchParams("cols=none")).columns).toEqual([]);
  expect(readTable(new URLSearchParams()).columns).toEqual(DEFAULT_COLUMNS);
});
