import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { parseBranch } from "../../src/git/repo-address.ts";

const isTaken = (name: string): boolean => {
  try {
    return parseBranch(name) === name;
  } catch (error) {
    expect((error as Error).message).toMatch(/^SKILLS_BRANCH is '.*', which is not a valid branch name/s);
    return false;
  }
};

test.each([
  "main",
  "feature/x",
  "v1.2",
  "a-b_c",
  "größe",
  "日本",
  "a@b",
  "x.lock.y",
  "",
  "-x",
  "--upload-pack=x",
  "a..b",
  "a b",
  "a~1",
  "a^",
  "a:b",
  "a?",
  "a*",
  "a[b",
  "a\\b",
  "/a",
  "a/",
  "a//b",
  ".a",
  "a/.b",
  "a.lock",
  "a.lock/b",
  "a.",
  "@",
  "@{-1}",
  "a@{1}",
  "HEAD",
  "a\tb",
  "a\u007fb",
  "a\nb",
])("a branch called %j is taken exactly when git takes it", (name) => {
  const { status } = spawnSync("git", ["check-ref-format", "--branch", name], { cwd: "/" });
  expect(isTaken(name)).toBe(status === 0);
});
