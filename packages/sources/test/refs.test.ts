import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createOrigin } from "../../../test/support/origin.ts";
import { createSandbox } from "../../../test/support/sandbox.ts";
import { cacheOf, contentOf, openSource } from "./open-source.ts";

function setUp() {
  const sandbox = createSandbox();
  const origin = createOrigin(sandbox.path());
  const first = origin.commit({ "a.md": "one" });
  return { sandbox, origin, first };
}

const IDENTITY = ["-c", "user.name=Someone", "-c", "user.email=someone@example.com"] as const;

describe("a pinned repository", () => {
  test.each([
    ["a tag", ["tag", "v1", "main"]],
    ["a tag with a message", [...IDENTITY, "tag", "-a", "-m", "One", "v1", "main"]],
  ])("stays at %s, and follows it when it is moved", async (_what, tag) => {
    const { sandbox, origin, first } = setUp();
    origin.git(...tag);
    const second = origin.commit({ "a.md": "two" });
    const source = openSource(sandbox, origin.fileUrl, { branch: "v1", branchFrom: "address" });
    expect(await source.refresh()).toMatchObject({ success: true, commitHash: first });
    expect(await contentOf(source)).toEqual({ "a.md": "one" });
    expect(await source.refresh()).toMatchObject({ success: true, changed: false });
    origin.git("tag", "-f", "v1", second);
    expect(await source.refresh()).toMatchObject({ success: true, commitHash: second, changed: true });
  });

  test("at a commit asks nobody once the commit is here", async () => {
    const { sandbox, origin, first } = setUp();
    origin.commit({ "a.md": "two" });
    const source = openSource(sandbox, origin.fileUrl, { branch: first, branchFrom: "address" });
    expect(await source.refresh()).toMatchObject({ success: true, commitHash: first });
    expect(await contentOf(source)).toEqual({ "a.md": "one" });
    origin.git("update-ref", "-d", "refs/heads/main");
    expect(await source.refresh()).toMatchObject({ success: true, changed: false });
  });

  test.each([
    ["v9", /has no branch or tag 'v9'; its default branch is 'main'\. There is no content yet\.$/],
    ["abcdef1", /'abcdef1'.*; a commit needs all of its 40 characters\./],
  ])("at %s, which the remote does not have, says so", async (branch, words) => {
    const { sandbox, origin } = setUp();
    const source = openSource(sandbox, origin.fileUrl, { branch, branchFrom: "address" });
    const result = await source.refresh();
    expect(result).toMatchObject({ success: false });
    expect("message" in result ? result.message : "").toMatch(words);
  });
});

describe("where nobody named a branch", () => {
  const openDefault = (url: string, sandbox: ReturnType<typeof setUp>["sandbox"]) =>
    openSource(sandbox, url, { branch: "main", branchFrom: "default" });

  test("the default branch is used if there is no main, with one line; and main once there is one", async () => {
    const { sandbox, origin, first } = setUp();
    origin.git("branch", "-m", "main", "trunk");
    origin.git("symbolic-ref", "HEAD", "refs/heads/trunk");
    const source = openDefault(origin.fileUrl, sandbox);
    expect(await source.refresh()).toMatchObject({ success: true });
    const second = origin.commit({ "a.md": "two" }, { branch: "trunk" });
    expect(await source.refresh()).toMatchObject({ success: true, commitHash: second });
    expect(source.logged.filter((line) => line.includes("default branch"))).toEqual([
      "git team-skills: there is no branch 'main', using the default branch 'trunk'",
    ]);
    origin.git("branch", "main", first);
    expect(await source.refresh()).toMatchObject({ success: true, changed: true });
    expect(existsSync(path.join(cacheOf(source), "default-branch"))).toBe(false);
  });

  test("it does not replace a main that was served and is gone", async () => {
    const { sandbox, origin, first } = setUp();
    origin.git("branch", "trunk", "main");
    const source = openDefault(origin.fileUrl, sandbox);
    await source.refresh();
    origin.git("update-ref", "-d", "refs/heads/main");
    origin.git("symbolic-ref", "HEAD", "refs/heads/trunk");
    expect(await source.refresh()).toMatchObject({ success: false, commitHash: first });
  });
});

test("a refresh that waits fetches after the one that runs, and sees what was pushed meanwhile", async () => {
  const { sandbox, origin } = setUp();
  const source = openSource(sandbox, origin.fileUrl);
  const running = source.refresh();
  expect(await source.refresh()).toMatchObject({ success: false });
  const waiting = source.refresh({ wait: true });
  await running;
  const second = origin.commit({ "a.md": "two" });
  expect(await waiting).toMatchObject({ success: true });
  expect(await source.refresh({ wait: true })).toMatchObject({ commitHash: second });
});
