import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { holdTarget, journalFolderOf } from "../../src/apply/target-lock.ts";

test("target lock: a second command waits, then says which process changes the folder", async () => {
  const { project, home } = createSandbox();
  const skillsDir = path.join(project, ".agents/skills");
  const journalFolder = journalFolderOf(skillsDir, path.join(home, ".skills-mcp"));
  const first = await holdTarget(skillsDir, journalFolder);
  await expect(holdTarget(skillsDir, journalFolder, 100)).rejects.toThrow(
    `${skillsDir} is being changed by another skills-mcp (process ${process.pid}).`,
  );
  const waiting = holdTarget(skillsDir, journalFolder);
  await first.release();
  const second = await waiting;
  expect(second.repair.repaired).toBe(false);
  await second.release();
  expect(readdirSync(journalFolder)).toEqual([]);
});
