import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

import { type Connection, ERAS, loadSkill } from "../support/client.ts";
import { createEventSink } from "../support/event-sink.ts";
import { connectInProcess as connect, runCommand, serveInProcess as serve } from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const ARGS = ["mcp", "--tools", "loader,finder"];
/** What an event of a skill that was loaded by its name cannot know. */
const UNKNOWN = { context: null, score: null, matched_keywords: [], was_ambiguous: null };
const HOSTILE = `\u001b[2J\nevil\u2028${"x".repeat(5_000)}`;

function machine(): Sandbox {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf", { description: "Reads and merges PDF files." });
  return sandbox;
}

const find = ({ client }: Connection, task: string) =>
  client.callTool({ name: "find_skills", arguments: { task } });

function recorded(sandbox: Sandbox): readonly { readonly type: string; readonly data: object }[] {
  const folder = path.join(sandbox.home, ".skills-mcp", "usage");
  return readdirSync(folder)
    .flatMap((name) => readFileSync(path.join(folder, name), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line) as { type: string; data: object });
}

describe.each(ERAS)("what no skill matches, protocol %s", (era) => {
  test("is recorded with the tool, and of what matches the names alone", async () => {
    const sandbox = machine();
    const connection = await connect(sandbox, { era, args: ARGS });
    await find(connection, "Rotate the signing keys");
    await find(connection, "pdf");
    await loadSkill(connection, "pfd");
    await loadSkill(connection, "pdf");
    await loadSkill(connection, "../pdf");
    await loadSkill(connection, HOSTILE);
    await connection.client.getPrompt({ name: "pdff" }).catch(() => {});
    await connection.client.getPrompt({ name: "pdf" });
    await connection.close();
    expect(recorded(sandbox).map(({ type, data }) => [type, data])).toEqual([
      ["no_match", { context: "Rotate the signing keys", via: "find_skills" }],
      ["skills_found", { skills: ["pdf"], via: "find_skills" }],
      ["no_match", { context: "pfd", via: "skill" }],
      ["skill_served", { ...UNKNOWN, skill_path: "pdf", via: "skill" }],
      ["no_match", { context: ` [2J evil ${"x".repeat(189)}…`, via: "skill" }],
      ["no_match", { context: "pdff", via: "prompt" }],
      ["skill_served", { ...UNKNOWN, skill_path: "pdf", via: "prompt" }],
    ]);
  });
});

test("appears in stats and in the dashboard's API", async () => {
  const sandbox = machine();
  const connection = await connect(sandbox, { era: "2026-07-28", args: ARGS });
  await find(connection, "Rotate the  signing keys");
  await find(connection, "rotate the signing keys");
  await loadSkill(connection, "pfd");
  await connection.close();

  const noMatch = [
    { query: "rotate the signing keys", count: 2, kind: "search" },
    { query: "pfd", count: 1, kind: "name" },
  ];
  const { stdout } = await runCommand(sandbox, ["stats", "--json", "--since", "1d"]);
  expect(JSON.parse(stdout)).toMatchObject({ totals: { events: 3, served: 0, noMatch: 3 }, noMatch });
  expect((await runCommand(sandbox, ["stats"])).stdout).toContain(
    "SEARCHES WITH NO MATCH   COUNT\nrotate the signing keys      2\n\nUNKNOWN NAMES  COUNT\npfd                1\n",
  );
  const url = await serve(sandbox);
  const usage: unknown = await (await fetch(`${url}/api/v1/usage?since=1d`)).json();
  expect(usage).toMatchObject({ totals: { noMatch: 3 }, noMatch });
});

test("is not told to an endpoint of which the operator wants to keep the texts", async () => {
  const sandbox = machine();
  const sink = await createEventSink();
  sandbox.write("home/.skills-mcp/config.yaml", "analytics:\n  context: hash\n");
  const connection = await connect(sandbox, {
    era: "2025-11-25",
    args: ARGS,
    env: { ANALYTICS_ENDPOINT: sink.url },
  });
  await find(connection, "Rotate the signing keys");
  await loadSkill(connection, "keys");
  await connection.close();
  const digest = expect.stringMatching(/^sha256:[0-9a-f]{16}$/) as string;
  expect(sink.taken().map(({ data }) => data)).toEqual([
    { context: digest, via: "find_skills" },
    { context: digest, via: "skill" },
  ]);
  for (const { body } of sink.requests()) expect(body).not.toContain("keys");
});
