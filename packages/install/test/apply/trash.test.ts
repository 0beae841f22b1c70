import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { emptyOldTrash, lastChanges, newCommand, timeOf } from "../../src/apply/trash.ts";

/** A trash that gets one change for each time of a clock. */
async function trashOf(times: readonly string[]) {
  const trash = createSandbox().path("trash");
  const commands: string[] = [];
  for (const time of times) {
    const command = await newCommand(trash, new Date(time));
    mkdirSync(path.join(trash, command), { recursive: true });
    const record = { command, isUndo: false, name: `change-${commands.length}`, places: [] };
    writeFileSync(path.join(trash, command, "changes.json"), JSON.stringify([record]));
    commands.push(command);
  }
  const last = async () => (await lastChanges(trash, () => true)).map(({ name }) => name);
  return { trash, commands, last };
}

const days = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString());

describe("the trash and the clock", () => {
  test("undo takes back the last command after the clock was set back", async () => {
    const { last } = await trashOf([
      "2026-11-03T14:05:00Z",
      "+012026-11-03T14:06:00Z",
      "2026-11-03T14:06:00Z",
      "2020-01-01T00:00:00Z",
    ]);
    expect(await last()).toEqual(["change-3"]);
  });

  test("commands that an earlier version named by their time alone come first", async () => {
    const { trash, last } = await trashOf(["2020-01-01T00:00:00Z"]);
    const earlier = path.join(trash, "2026-11-03T14-05-00-000Z-0a1b2c3d");
    mkdirSync(earlier);
    writeFileSync(path.join(earlier, "changes.json"), JSON.stringify([{ isUndo: false, name: "earlier" }]));
    expect(await last()).toEqual(["change-0"]);
    expect(timeOf(path.basename(earlier))).toBe("2026-11-03 14:05 UTC");
  });

  test("a clock that was 100 days ahead does not empty it", async () => {
    const { trash, commands } = await trashOf([
      "2026-11-01T00:00:00Z",
      "2026-11-02T00:00:00Z",
      "2027-02-10T00:00:00Z",
      "2026-11-03T00:00:00Z",
    ]);
    await emptyOldTrash(trash);
    expect(readdirSync(trash)).toEqual(commands);
  });

  test("what was replaced goes after changes on 90 later days", async () => {
    const { trash, commands } = await trashOf(days(93));
    await emptyOldTrash(trash);
    expect(readdirSync(trash)).toEqual(commands.slice(3));
  });

  test("many changes on one day remove nothing", async () => {
    const { trash, commands } = await trashOf(Array<string>(120).fill("2026-11-03T14:05:00Z"));
    await emptyOldTrash(trash);
    expect(readdirSync(trash)).toHaveLength(commands.length);
  });
});
