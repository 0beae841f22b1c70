import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SkillColumns } from "#server/wire";
import { createFacts } from "../src/skills/facts.ts";
import { countValues, createRows, filterRows, orderFound } from "../src/skills/rows.ts";
import { parseRoute, routeHash } from "../src/state/route.ts";

const NO_FACTS = createFacts("t", undefined, undefined);

interface Plain {
  readonly name: string;
  readonly provider: string;
  readonly status: string;
}

function columnsOf(plain: readonly Plain[]): SkillColumns {
  const repeated = (values: readonly string[]): SkillColumns["provider"] => {
    const distinct = [...new Set(values)];
    return { values: distinct, at: values.map((value) => distinct.indexOf(value)) };
  };
  return {
    tag: "t",
    count: plain.length,
    name: plain.map(({ name }) => name),
    description: plain.map(({ name }) => `Does ${name}.`),
    provider: repeated(plain.map(({ provider }) => provider)),
    location: repeated(plain.map(() => "project")),
    plugin: repeated(plain.map(() => "")),
    status: repeated(plain.map(({ status }) => status)),
    folder: repeated(plain.map(() => "/shop/")),
    tail: plain.map(({ name }) => `${name}/SKILL.md`),
  };
}

const SHOP: readonly Plain[] = [
  { name: "pdf", provider: "claude", status: "ok" },
  { name: "incident", provider: "codex", status: "ok" },
  { name: "incident", provider: "library", status: "warning" },
  { name: "pdf", provider: "claude", status: "shadowed" },
];

describe("rows", () => {
  const rows = createRows(columnsOf(SHOP));

  test("go by a name that means one of them alone", () => {
    expect([0, 1, 2, 3].map((row) => rows.key(row))).toEqual([
      "pdf",
      "incident",
      "library:incident",
      undefined,
    ]);
    expect([
      rows.byKey("incident"),
      rows.byKey("library:incident"),
      rows.byFile("/shop/pdf/SKILL.md"),
    ]).toEqual([1, 2, 0]);
  });

  test("are filtered, and each choice says how many it would show", () => {
    expect(filterRows(rows, NO_FACTS, { provider: "claude" })).toEqual([0, 3]);
    expect(filterRows(rows, NO_FACTS, { provider: "claude", status: "shadowed" })).toEqual([3]);
    const counts = countValues(rows, NO_FACTS, { provider: "claude", status: "ok" });
    expect([...(counts.get("status") ?? [])]).toEqual([
      ["ok", 1],
      ["shadowed", 1],
    ]);
    expect([...(counts.get("provider") ?? [])]).toEqual([
      ["claude", 1],
      ["codex", 1],
    ]);
    expect(filterRows(rows, NO_FACTS, { kind: "library" })).toEqual([2]);
  });

  test("that are found come ranked first, then the others that hold every word", () => {
    expect(orderFound(rows, [0, 1, 2, 3], "PDF does", ["incident", "gone"])).toEqual([1, 0, 3]);
    expect(orderFound(rows, [2, 3], "incident", ["incident"])).toEqual([2]);
    expect(orderFound(rows, [0, 1, 2, 3], "x", ["library:incident", "incident"])).toEqual([2, 1]);
    expect(orderFound(rows, [3, 0], "  ", ["incident"])).toEqual([3, 0]);
  });

  test("are filtered as the obvious way does it", () => {
    const plain = fc.record({
      name: fc.string(),
      provider: fc.constantFrom("claude", "codex", "library", ""),
      status: fc.constantFrom("ok", "broken", "disabled"),
    });
    fc.assert(
      fc.property(
        fc.array(plain),
        fc.constantFrom("claude", "library"),
        fc.constantFrom("ok", "broken"),
        (all, provider, status) => {
          const wanted = all.flatMap((each, row) =>
            each.provider === provider && each.status === status ? [row] : [],
          );
          expect(filterRows(createRows(columnsOf(all)), NO_FACTS, { provider, status })).toEqual(wanted);
        },
      ),
    );
  });
});

describe("an address", () => {
  test("brings back what it was made of", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("overview", "skills", "model", "try", "sources", "health", "usage"),
        fc.dictionary(fc.string({ minLength: 1 }), fc.string({ minLength: 1 })),
        (view, params) => {
          const route = parseRoute(routeHash(view, params));
          expect([route.view, Object.fromEntries(route.params)]).toEqual([view, { ...params }]);
        },
      ),
    );
  });

  test.each([
    ["", undefined],
    ["#", undefined],
    ["#/", undefined],
    ["#/nowhere?x=1", "nowhere"],
    ["#nowhere", "nowhere"],
  ])("%j shows the overview, or says what it does not know", (hash, unknown) => {
    const route = parseRoute(hash);
    expect([route.view, route.unknown]).toEqual(["overview", unknown]);
  });

  test("of a view that was a part of another one still works", () => {
    expect(parseRoute("#/sources?part=review").view).toBe("review");
  });
});
