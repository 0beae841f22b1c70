import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import { compactHistory, readHistory } from "../../src/history/history-files.ts";
import { summarise } from "../../src/history/summarise.ts";
import { folderOf, openUsage } from "../open-usage.ts";

const NOVEMBER = Date.UTC(2026, 10, 15, 12);
const at = (time: number) => ({ history: true, now: () => time });

function eventLine(type: string, day: string, data: object): string {
  return `${JSON.stringify({ type, timestamp: `${day}T10:00:00.000Z`, server_id: "dev-x", event_id: "x", data })}\n`;
}

const served = (day: string, skill_path: string): string => eventLine("skill_served", day, { skill_path });

async function summaryOf(sandbox: Sandbox, since: string, until: string) {
  return summarise(await readHistory(folderOf(sandbox), since), { since, until }, []);
}

describe("history: recording", () => {
  test("appends one line an event to the month's file, for the user's eyes only", async () => {
    const sandbox = createSandbox();
    const { usage, folder } = openUsage(sandbox, at(NOVEMBER));
    usage.record("skill_served", { skill_path: "pdf", via: "skill" });
    usage.record("no_match", { context: "line\nbreak", via: "get_skill" });
    expect(await usage.saved()).toBe(true);
    const file = path.join(folder, "usage", "2026-11.jsonl");
    const lines = readFileSync(file, "utf8").split("\n");
    expect(lines).toHaveLength(3);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      type: "skill_served",
      timestamp: "2026-11-15T12:00:00.000Z",
      data: { skill_path: "pdf", via: "skill" },
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["usage"]);
  });

  test("writes soon after the event, without a flush", async () => {
    const sandbox = createSandbox();
    const { usage, folder } = openUsage(sandbox, at(NOVEMBER));
    usage.record("no_match", { context: "a", via: "get_skill" });
    const file = path.join(folder, "usage", "2026-11.jsonl");
    await expect
      .poll(() => existsSync(file) && readFileSync(file, "utf8"), { timeout: 10_000 })
      .toContain('"a"');
  });

  test("by several processes at once mixes no lines up", async () => {
    const sandbox = createSandbox();
    const users = Array.from({ length: 4 }, () => openUsage(sandbox, at(NOVEMBER)).usage);
    for (let n = 0; n < 200; n++) {
      for (const [index, usage] of users.entries()) {
        usage.record("no_match", { context: `${index}-${n} ${"x".repeat(n * 10)}`, via: "get_skill" });
      }
      if (n % 20 === 0) await Promise.all(users.map((usage) => usage.saved()));
    }
    await Promise.all(users.map((usage) => usage.close(5000)));
    const { totals, noMatch } = await summaryOf(sandbox, "2026-11-01", "2026-11-30");
    expect(totals.noMatch).toBe(800);
    expect(noMatch.every(({ count }) => count === 1)).toBe(true);
  });

  test("begins a new line after a truncated one", async () => {
    const sandbox = createSandbox();
    sandbox.write("home/.skills-mcp/usage/2026-11.jsonl", `${served("2026-11-02", "pdf")}{"type":"skill_se`);
    const { usage } = openUsage(sandbox, at(NOVEMBER));
    usage.record("skill_served", { skill_path: "docx", via: "skill" });
    await usage.saved();
    const { mostUsed } = await summaryOf(sandbox, "2026-11-01", "2026-11-30");
    expect(mostUsed.map(({ skill }) => skill)).toEqual(["docx", "pdf"]);
  });

  test("logs once that the folder cannot be written, and does not interrupt the server", async () => {
    const sandbox = createSandbox();
    sandbox.write("home/.skills-mcp/usage", "a file where a folder should be");
    const { usage, log } = openUsage(sandbox, at(NOVEMBER));
    for (const context of ["a", "b"]) {
      usage.record("no_match", { context, via: "get_skill" });
      expect(await usage.saved()).toBe(false);
    }
    expect(log).toEqual([expect.stringMatching(/^usage: cannot write the history in .*: /) as string]);
  });
});

describe("history: reading", () => {
  test("skips garbage and events of versions to come", async () => {
    const sandbox = createSandbox();
    const lines = [
      "garbage\n",
      "{}\n",
      "null\n",
      "\u0000\u0000\n",
      eventLine("teleported", "2026-11-03", {}),
      '{"type":"no_match","timestamp":"yesterday","data":{}}\n',
      '{"type":"no_match","timestamp":"2026-11-03T10:00:00Z"}\n',
      served("2026-11-03", "pdf"),
      served("2026-11-03", "__proto__"),
      '{"type":"skill_ser',
    ];
    sandbox.write("home/.skills-mcp/usage/2026-11.jsonl", lines.join(""));
    sandbox.write("home/.skills-mcp/usage/2026-10.daily.json", "{ not json");
    sandbox.write("home/.skills-mcp/usage/notes.txt", "mine");
    const { totals, mostUsed } = await summaryOf(sandbox, "2026-10-01", "2026-11-30");
    expect(totals.events).toBe(2);
    expect(mostUsed.map(({ skill, count }) => [skill, count])).toEqual([
      ["__proto__", 1],
      ["pdf", 1],
    ]);
  });

  test("without a folder gives no days", async () => {
    expect(await readHistory(createSandbox().path("nowhere"), "2026-01-01")).toEqual([]);
  });
});

describe("history: compaction", () => {
  const usageFolder = (sandbox: Sandbox): string => path.join(folderOf(sandbox), "usage");

  function writeMonths(sandbox: Sandbox): void {
    const day = (month: string, n: number): string => `${month}-${String(n).padStart(2, "0")}`;
    for (const month of ["2026-08", "2026-09", "2026-10", "2026-11"]) {
      const lines = Array.from({ length: 20 }, (_, n) => [
        served(day(month, n + 1), `skill-${n % 3}`),
        eventLine("no_match", day(month, n + 1), { context: `Query  ${n % 4}` }),
        eventLine("skill_feedback", day(month, n + 1), {
          skill_path: "pdf",
          useful: n % 2 === 0,
          comment: `c${n}`,
        }),
        eventLine("script_executed", day(month, n + 1), {
          skill_path: "pdf",
          file: "run.sh",
          success: n % 5 > 0,
          duration_ms: n * 10,
        }),
        eventLine("refresh", day(month, n + 1), { success: n > 0 }),
      ]);
      sandbox.write(`home/.skills-mcp/usage/${month}.jsonl`, lines.flat().join(""));
    }
  }

  test("turns events of old months into daily counts with the same summary", async () => {
    const sandbox = createSandbox();
    writeMonths(sandbox);
    const before = await summaryOf(sandbox, "2026-08-01", "2026-11-30");
    await compactHistory(folderOf(sandbox), NOVEMBER);
    expect(readdirSync(usageFolder(sandbox)).sort()).toEqual([
      "2026-08.daily.json",
      "2026-09.daily.json",
      "2026-10.jsonl",
      "2026-11.jsonl",
    ]);
    expect(await summaryOf(sandbox, "2026-08-01", "2026-11-30")).toEqual(before);
    expect(before.totals.events).toBe(400);
  });

  test("runs with the first event of a process", async () => {
    const sandbox = createSandbox();
    writeMonths(sandbox);
    const { usage } = openUsage(sandbox, at(NOVEMBER));
    usage.record("no_match", { context: "a", via: "get_skill" });
    await usage.saved();
    expect(readdirSync(usageFolder(sandbox))).toContain("2026-08.daily.json");
  });

  test("by several processes at once gives the same counts, and leaves no other file", async () => {
    const sandbox = createSandbox();
    writeMonths(sandbox);
    const before = await summaryOf(sandbox, "2026-08-01", "2026-11-30");
    await Promise.all(Array.from({ length: 5 }, () => compactHistory(folderOf(sandbox), NOVEMBER)));
    expect(await summaryOf(sandbox, "2026-08-01", "2026-11-30")).toEqual(before);
    expect(readdirSync(usageFolder(sandbox))).toHaveLength(4);
  });

  test("counts events once if it was killed before it removed them", async () => {
    const sandbox = createSandbox();
    writeMonths(sandbox);
    const before = await summaryOf(sandbox, "2026-08-01", "2026-11-30");
    const file = path.join(usageFolder(sandbox), "2026-08.jsonl");
    const events = readFileSync(file);
    await compactHistory(folderOf(sandbox), NOVEMBER);
    writeFileSync(file, events);
    expect(await summaryOf(sandbox, "2026-08-01", "2026-11-30")).toEqual(before);
    await compactHistory(folderOf(sandbox), NOVEMBER);
    expect(existsSync(file)).toBe(false);
    expect(await summaryOf(sandbox, "2026-08-01", "2026-11-30")).toEqual(before);
  });

  test("keeps a busy month small, and its counts exact", async () => {
    const sandbox = createSandbox();
    const lines = Array.from({ length: 20_000 }, (_, n) =>
      eventLine("no_match", `2026-08-0${1 + (n % 9)}`, { context: `${n} ${"x".repeat(150)}` }),
    );
    sandbox.write("home/.skills-mcp/usage/2026-08.jsonl", lines.join(""));
    await compactHistory(folderOf(sandbox), NOVEMBER);
    const { size } = statSync(path.join(usageFolder(sandbox), "2026-08.daily.json"));
    expect(size).toBeLessThan(200_000);
    expect((await summaryOf(sandbox, "2026-08-01", "2026-08-31")).totals.noMatch).toBe(20_000);
  });

  test("deletes counts that are older than three years", async () => {
    const sandbox = createSandbox();
    sandbox.write("home/.skills-mcp/usage/2023-10.daily.json", "{}");
    sandbox.write("home/.skills-mcp/usage/2023-11.daily.json", "{}");
    sandbox.write("home/.skills-mcp/usage/2019-01.jsonl", served("2019-01-01", "pdf"));
    await compactHistory(folderOf(sandbox), NOVEMBER);
    expect(readdirSync(usageFolder(sandbox))).toEqual(["2023-11.daily.json"]);
  });
});
