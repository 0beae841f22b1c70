import { appendFileSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { Refusal } from "#util/pure";
import { RACE_MS, raceWithSwaps } from "../../../../test/support/race.ts";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import { digestOf, readSkillFile } from "../../src/files/skill-file-content.ts";
import { findInSkill, listSkillFiles, type SkillFile } from "../../src/files/skill-folder.ts";
import type { Skill } from "../../src/skill/skill.ts";

function skillIn(sandbox: Sandbox): Skill {
  sandbox.skill("skills/pdf");
  const dir = sandbox.path("skills/pdf");
  return {
    name: "pdf",
    description: "Does pdf things.",
    provider: "file",
    location: "user",
    dir,
    fileName: "SKILL.md",
    realDir: dir,
  };
}

async function fileOf(skill: Skill, name: string): Promise<SkillFile> {
  const found = await findInSkill(skill, [name]);
  if (found?.kind !== "file") throw new Error(`There is no ${name}.`);
  return found.file;
}

test("a digest follows the content of the file", async () => {
  const sandbox = createSandbox();
  const skill = skillIn(sandbox);
  const text = sandbox.write("skills/pdf/a.txt", "one");
  const first = await digestOf(skill, await fileOf(skill, "a.txt"));
  expect(first.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  appendFileSync(text, "two");
  const second = await digestOf(skill, await fileOf(skill, "a.txt"));
  expect(second.size).toBe(6);
  expect(second.digest).not.toBe(first.digest);
});

test("a file over 16 MiB is refused with the limit", async () => {
  const sandbox = createSandbox();
  const skill = skillIn(sandbox);
  sandbox.write("skills/pdf/big.bin", Buffer.alloc(16 * 1024 * 1024 + 1));
  const file = await fileOf(skill, "big.bin");
  await expect(readSkillFile(skill, file)).rejects.toThrow(/'big\.bin' cannot be served: .*16 MiB/);
  await expect(digestOf(skill, file)).rejects.toThrow(/16 MiB/);
});

test("the same folder gives the same list, and another fingerprint after a change", async () => {
  const sandbox = createSandbox();
  const skill = skillIn(sandbox);
  const file = sandbox.write("skills/pdf/b/a.txt", "one");
  sandbox.write("skills/pdf/a.txt", "");
  const before = await listSkillFiles(skill);
  expect(before.files.map(({ names }) => names.join("/"))).toEqual(["SKILL.md", "a.txt", "b/a.txt"]);
  expect(await listSkillFiles(skill)).toEqual(before);
  utimesSync(file, 1, 1);
  const after = await listSkillFiles(skill);
  expect(after.files[2]?.fingerprint).not.toBe(before.files[2]?.fingerprint);
});

test(
  "a skill's file whose folder is swapped for a link while it is read never leaks what the link leads to",
  async () => {
    const sandbox = createSandbox();
    const skill = skillIn(sandbox);
    sandbox.write("outside/notes.txt", "SECRET");
    sandbox.write("skills/pdf/references/notes.txt", "fine");
    const folder = sandbox.path("skills/pdf/references");
    const readNotes = async (): Promise<string> => {
      const found = await findInSkill(skill, ["references", "notes.txt"]);
      if (found?.kind !== "file") return "not there";
      return (await readSkillFile(skill, found.file)).toString();
    };
    const seen = await raceWithSwaps({ folder, outside: sandbox.path("outside"), usual: "fine" }, () =>
      readNotes().catch((error: unknown) =>
        error instanceof Refusal ? error.message : Promise.reject(error),
      ),
    );
    expect(seen.filter((answer) => answer.includes("SECRET"))).toEqual([]);
  },
  RACE_MS + 40_000,
);
