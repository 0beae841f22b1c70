import { expect, test } from "vitest";
import { usageCsv } from "../src/usage/usage-csv.ts";

const DAYS = [
  { day: "2026-11-17", served: 3, noMatch: 0 },
  { day: "2026-11-18", served: 1, noMatch: 2 },
];

test("usage as a table: a row for each day, a column for each skill, and no formula for a spreadsheet", () => {
  const mostUsed = [
    { skill: "pdf", count: 3, perDay: [2, 1] },
    { skill: "=cmd()", count: 1, perDay: [1, 0] },
    { skill: 'a,"b"', count: 0, perDay: [0, 0] },
  ];
  expect(usageCsv({ days: DAYS, mostUsed } as never)).toBe(
    [
      `day,loads,unmatched_searches,pdf,'=cmd(),"a,""b"""`,
      "2026-11-17,3,0,2,1,0",
      "2026-11-18,1,2,1,0,0",
      "",
    ].join("\r\n"),
  );
});
