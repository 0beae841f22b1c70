import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { createSandbox } from "../../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../../test/support/wait-until.ts";
import { onVisibleChange } from "../../../src/http/api/event-feed.ts";
import { openApi } from "./open-api.ts";

test("tells of every change that a page shows, and of no refresh that found none", async () => {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf");
  const { services } = openApi(sandbox);
  await services.skills.snapshot();
  const told: string[] = [];
  const stop = onVisibleChange(services.skills, (event) => told.push(event));
  const after = async (change: () => unknown): Promise<readonly string[]> => {
    change();
    told.length = 0;
    await services.skills.refresh();
    return [...told];
  };
  // A file that was written a moment ago may have changed since, so it counts as changed until it is older.
  await waitUntil("a refresh finds nothing new", async () => (await after(() => {})).length === 0);
  expect(await after(() => sandbox.skill("project/.claude/skills/xlsx"))).toEqual(["skills"]);
  // Agents are not told of a body, because no listing shows it; people are, because they look at it.
  expect(await after(() => sandbox.skill("project/.claude/skills/pdf", { body: "Another text.\n" }))).toEqual(
    ["skills"],
  );
  expect(await after(() => sandbox.write("project/.claude/skills/bad/SKILL.md", "x"))).toEqual([
    "skills",
    "health",
  ]);
  expect(await after(() => rmSync(sandbox.path("project/.claude/skills/bad"), { recursive: true }))).toEqual([
    "skills",
    "health",
  ]);
  stop();
  expect(await after(() => sandbox.skill("project/.claude/skills/last"))).toEqual([]);
});
