import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import {
  computedHash,
  digestsOf,
  gitTreeHash,
  readInstalledContent,
  readSourceContent,
} from "../../src/files/skill-content.ts";

test("the hashes are those of the skills tool and of git", () => {
  const { write, project } = createSandbox();
  write("project/skill/SKILL.md", "---\nname: a\n---\n");
  write("project/skill/b/c.md", "c\n");
  write("project/skill/b-1.md", "b\n");
  write("project/skill/node_modules/x/index.js", "left out\n");
  const content = readSourceContent(path.join(project, "skill"), project);
  expect([...content.keys()].sort()).toEqual(["SKILL.md", "b-1.md", "b/c.md"]);
  // What `skills` 1.7.4 computes for this folder.
  expect(computedHash(content)).toBe("84edf5327ca990eda192900c8c13da72425897e1ea064aa595fb2893c5698db1");
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" };
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: project, env, encoding: "utf8" }).trim();
  git("init", "-q");
  git("add", "skill/SKILL.md", "skill/b", "skill/b-1.md");
  expect(gitTreeHash(content)).toBe(git("write-tree", "--prefix=skill/"));
});

test.runIf(process.platform !== "win32")(
  "links of a source count as what they lead to, inside the source",
  () => {
    const { write, project } = createSandbox();
    write("project/source/shared/text.md", "shared\n");
    write("project/source/skill/SKILL.md", "text");
    symlinkSync("../shared/text.md", path.join(project, "source/skill/text.md"));
    symlinkSync("../shared", path.join(project, "source/skill/folder"));
    const source = path.join(project, "source");
    const content = readSourceContent(path.join(source, "skill"), source);
    expect(content.get("text.md")?.bytes.toString()).toBe("shared\n");
    expect(content.get("folder/text.md")?.isLinked).toBe(true);
    expect(gitTreeHash(content)).toBeUndefined();
  },
);

test.runIf(process.platform !== "win32").each([
  ["a link out of the source", (skill: string) => symlinkSync("/etc/passwd", path.join(skill, "bad"))],
  ["a link to nowhere", (skill: string) => symlinkSync("nowhere", path.join(skill, "bad"))],
  ["a link to the folder above", (skill: string) => symlinkSync("..", path.join(skill, "bad"))],
  ["a link to itself", (skill: string) => symlinkSync("bad", path.join(skill, "bad"))],
  ["a FIFO", (skill: string) => execFileSync("mkfifo", [path.join(skill, "bad")])],
])("%s is refused by name", (_what, plant) => {
  const { write, project } = createSandbox();
  write("project/source/skill/SKILL.md", "text");
  const source = path.join(project, "source");
  plant(path.join(source, "skill"));
  expect(() => readSourceContent(path.join(source, "skill"), source)).toThrow("'bad' is");
});

test.runIf(process.platform !== "win32")("links in an installed skill are seen and not followed", () => {
  const { write, project } = createSandbox();
  write("project/skill/SKILL.md", "text");
  mkdirSync(path.join(project, "skill/empty"));
  symlinkSync("/etc", path.join(project, "skill/link"));
  const content = readInstalledContent(path.join(project, "skill"));
  expect(content?.get("link")).toMatchObject({ isOdd: true });
  expect(Object.keys(digestsOf(content ?? new Map()))).toEqual(["SKILL.md", "link"]);
  expect(readInstalledContent(path.join(project, "skill/link"))).toBeUndefined();
  expect(readInstalledContent(path.join(project, "missing"))).toBeUndefined();
});
