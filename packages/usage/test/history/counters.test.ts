import { expect, test } from "vitest";
import { summarise } from "../../src/history/summarise.ts";
import { createTally, historyEvent } from "../../src/history/tally-events.ts";

const DAY = "2026-11-17";
const CODEX = { name: "codex", version: "1.2" };

type Line = readonly [type: string, data: object, by?: object];

function summaryOf(lines: readonly Line[], day = DAY) {
  const tally = createTally();
  for (const [type, data, by] of lines) {
    const event = historyEvent({ type, timestamp: `${day}T10:00:00.000Z`, data, ...by });
    if (event !== undefined) tally.add(event);
  }
  return summarise(tally.days(), { since: day, until: day }, []);
}

const SESSION: readonly Line[] = [
  ["skill_suggested", { skill_path: "pdf", client: "codex", native: false }],
  ["skills_found", { skills: ["pdf", "docx"], via: "find_skills" }, { client: CODEX, caller: "ann" }],
  ["skill_served", { skill_path: "pdf", via: "skill" }, { client: CODEX, caller: "ann" }],
  ["skill_served", { skill_path: "api/auth", via: "get_skill", context: "log in" }, { client: CODEX }],
  [
    "skill_served",
    { skill_path: "api/auth", via: "get_skill", context: "log in", was_ambiguous: true },
    { client: { ...CODEX, version: "1.3" } },
  ],
  ["ambiguous", { context: "auth", candidates: ["api/auth", "web/auth"] }, { caller: "bob" }],
  ["no_match", { context: "Bake bread", via: "find_skills" }, { caller: "bob" }],
  ["no_match", { context: "pfd", via: "skill" }, { caller: "bob" }],
  [
    "script_executed",
    { skill_path: "pdf", file: "a.sh", success: true, duration_ms: 5 },
    { client: CODEX, caller: "ann" },
  ],
];

test("the funnel counts every step, of all skills and of each", () => {
  const { funnel, skills, totals } = summaryOf(SESSION);
  // A search is: find_skills twice, get_skill with a task, and one that was ambiguous.
  expect(funnel).toEqual({ suggested: 1, searched: 4, loaded: 3, scripts: 1 });
  expect(totals).toMatchObject({ searched: 4, noMatch: 2, served: 3 });
  expect(skills).toEqual([
    { skill: "api/auth", suggested: 0, found: 2, loaded: 2, scripts: 0, lastUsed: DAY },
    { skill: "pdf", suggested: 1, found: 1, loaded: 1, scripts: 1, lastUsed: DAY },
    { skill: "docx", suggested: 0, found: 1, loaded: 0, scripts: 0 },
    { skill: "web/auth", suggested: 0, found: 1, loaded: 0, scripts: 0 },
  ]);
});

test("each client and caller has its own counts", () => {
  const { clients, callers } = summaryOf(SESSION);
  expect(clients).toEqual([
    {
      name: "codex",
      events: 6,
      suggested: 1,
      searched: 2,
      loaded: 3,
      scripts: 1,
      noMatch: 0,
      skills: [
        { skill: "api/auth", count: 2 },
        { skill: "pdf", count: 1 },
      ],
      perDay: [3],
      versions: [
        { version: "1.2", count: 4 },
        { version: "1.3", count: 1 },
      ],
    },
  ]);
  expect(
    callers.map(({ name, events, searched, loaded, noMatch }) => [name, events, searched, loaded, noMatch]),
  ).toEqual([
    ["ann", 3, 1, 1, 0],
    ["bob", 3, 2, 0, 2],
  ]);
});

test("summary: names that no skill has are listed apart from searches", () => {
  expect(summaryOf(SESSION).noMatch).toEqual([
    { query: "bake bread", count: 1, kind: "search" },
    { query: "pfd", count: 1, kind: "name" },
  ]);
});

test("counters: separators and `__proto__` in names of clients do no harm", () => {
  const evil = "a\u001floaded\u001f9";
  const { clients } = summaryOf([
    ["skill_served", { skill_path: evil, via: "skill" }, { client: { name: evil, version: evil } }],
    ["skill_served", { skill_path: "__proto__", via: "skill" }, { client: { name: "__proto__" } }],
    ["skill_served", { skill_path: "x", via: "skill" }, { client: "text", caller: 5 }],
    ["skill_served", { skill_path: "x", via: "skill" }, { client: null }],
  ]);
  expect(clients.map(({ name, loaded }) => [name, loaded])).toEqual([
    ["__proto__", 1],
    ["a loaded 9", 1],
  ]);
});
