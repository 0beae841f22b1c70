import { appendFileSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { createDigestCache, readSkillFile } from "../../../src/app/skill-files/skill-file-content.ts";
import { findInSkill, listSkillFiles, type SkillFile } from "../../../src/app/skill-files/skill-folder.ts";
import type { Skill } from "../../../src/skill/skill.ts";
import { createSandbox, type Sandbox } from "../../support/sandbox.ts";

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

/** Long after every file was changed, so that the clock could tell the next change. */
const LATER = () => Date.now() + 60_000;

test("a digest is computed once for as long as the file stays the same", async () => {
  const sandbox = createSandbox();
  const skill = skillIn(sandbox);
  const text = sandbox.write("skills/pdf/a.txt", "one");
  const digests = createDigestCache(LATER);
  const first = await digests.of(skill, await fileOf(skill, "a.txt"));
  expect(await digests.of(skill, await fileOf(skill, "a.txt"))).toBe(first);
  appendFileSync(text, "two");
  const second = await digests.of(skill, await fileOf(skill, "a.txt"));
  expect(second.size).toBe(6);
  expect(second.digest).not.toBe(first.digest);
});

test("the digest of a file that changed just now is not cached, because the clock may not tell the next change", async () => {
  const sandbox = createSandbox();
  const skill = skillIn(sandbox);
  sandbox.write("skills/pdf/a.txt", "one");
  const digests = createDigestCache();
  const file = await fileOf(skill, "a.txt");
  const first = await digests.of(skill, file);
  const second = await digests.of(skill, file);
  expect(second).toEqual(first);
  expect(second).not.toBe(first);
});

test("of too many digests, the one used least recently is computed again", async () => {
  const sandbox = createSandbox();
  const skill = skillIn(sandbox);
  for (const name of ["a", "b", "c"]) sandbox.write(`skills/pdf/${name}`, name);
  const digests = createDigestCache(LATER, 2);
  const [a, b, c] = [await fileOf(skill, "a"), await fileOf(skill, "b"), await fileOf(skill, "c")];
  const first = await digests.of(skill, a);
  const second = await digests.of(skill, b);
  // Used again, so b is the oldest now although a was computed before it.
  expect(await digests.of(skill, a)).toBe(first);
  await digests.of(skill, c);
  expect(await digests.of(skill, a)).toBe(first);
  expect(await digests.of(skill, b)).not.toBe(second);
});

test("a file over 16 MiB is refused with the limit", async () => {
  const sandbox = createSandbox();
  const skill = skillIn(sandbox);
  sandbox.write("skills/pdf/big.bin", Buffer.alloc(16 * 1024 * 1024 + 1));
  const file = await fileOf(skill, "big.bin");
  await expect(readSkillFile(skill, file)).rejects.toThrow(/'big\.bin' cannot be served: .*16 MiB/);
  await expect(createDigestCache().of(skill, file)).rejects.toThrow(/16 MiB/);
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
