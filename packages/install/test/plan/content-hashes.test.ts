import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { type ContentFile, readSourceContent } from "#skills";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { computedHash, gitTreeHash } from "../../src/plan/content-hashes.ts";

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

test("git's hash of content that was read through a link is unknown", () => {
  const file = { bytes: Buffer.from("shared"), isExecutable: false };
  const content = new Map<string, ContentFile>([
    ["SKILL.md", file],
    ["text.md", { ...file, isLinked: true }],
  ]);
  expect(gitTreeHash(content)).toBeUndefined();
});
