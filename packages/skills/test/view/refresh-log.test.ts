import { expect, test } from "vitest";
import { createLog } from "#util";
import type { RefreshEvent } from "../../src/registry/registry.ts";
import type { Snapshot } from "../../src/registry/snapshot.ts";
import type { Diagnostic } from "../../src/skill/diagnostic.ts";
import { createRefreshLog, unreportedLine, watchLimitLine } from "../../src/view/open-registry.ts";

function collect({ intervalAsked = false } = {}) {
  const lines: string[] = [];
  const all = createLog((level, message) => lines.push(`${level} ${message}`), "debug");
  const log = createRefreshLog(all, { intervalAsked });
  return { log, lines };
}

const BROKEN: Diagnostic = {
  severity: "error",
  code: "missing-name",
  file: "/skills/a/SKILL.md",
  message: "It has no name.",
};

function event(
  reason: "start" | "interval" | "watch",
  { diagnostics = [], change }: { diagnostics?: readonly Diagnostic[]; change?: RefreshEvent["change"] } = {},
): RefreshEvent {
  const snapshot = { catalog: { entries: [{}] }, library: { skills: new Map() }, diagnostics };
  return {
    reasons: new Set([reason]),
    snapshot: snapshot as unknown as Snapshot,
    previous: undefined,
    change,
  };
}

test("refresh log: the start and a refresh with changes are info, a refresh without is debug", () => {
  const { log, lines } = collect();
  log(event("start"));
  log(event("interval"));
  log(event("watch", { change: { added: 1, removed: 2, changed: 3 } }));
  expect(lines).toEqual([
    "info ready: 1 skill",
    "debug refreshed: 1 skill, no change",
    "info refreshed: 1 skill, 1 added, 2 removed, 3 changed",
  ]);
});

test("refresh log: with --refresh-interval each refresh is info", () => {
  const { log, lines } = collect({ intervalAsked: true });
  log(event("interval"));
  expect(lines).toEqual(["info refreshed: 1 skill, no change"]);
});

test("refresh log: a change that clients cannot see is not logged", () => {
  const { log, lines } = collect();
  log(event("watch"));
  expect(lines).toEqual([]);
});

test("refresh log: a skipped file is one error until it is fixed", () => {
  const { log, lines } = collect();
  log(event("start", { diagnostics: [BROKEN] }));
  log(event("watch", { diagnostics: [BROKEN] }));
  expect(lines).toEqual([
    expect.stringMatching(/^error .*SKILL\.md.*It has no name\./),
    "info ready: 1 skill, 1 problem above",
  ]);
  log(event("watch"));
  log(event("watch", { diagnostics: [BROKEN] }));
  expect(lines).toHaveLength(3);
});

test("unreported changes: the line names the folder and how often it is looked at", () => {
  expect(unreportedLine("/mnt/c/skills", 30_000)).toBe(
    "the file system of /mnt/c/skills reports no changes: they are detected every 30 s there instead of at once",
  );
});

test.each([
  ["ENOSPC", "fs.inotify.max_user_watches"],
  ["EMFILE", "ulimit -n"],
])("watch limit: %s names %s and the way out", (code, limit) => {
  const line = watchLimitLine(code, 30_000);
  expect(line).toContain(limit);
  expect(line).toContain("every 30 s");
  expect(line).toContain("--no-watch");
});
