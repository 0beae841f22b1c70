import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { NO_LOG } from "#util";
import { createOrigin } from "../../../test/support/origin.ts";
import { createSandbox, MEMORY_FOLDER } from "../../../test/support/sandbox.ts";
import type { GitLimits } from "../src/git/git-limits.ts";
import { createGitSource } from "../src/git-source.ts";
import { cacheOf, contentOf, repoAt } from "./open-source.ts";

/** One clone for all tests, because a clone takes as long as all the rest of a test. */
const base = mkdtempSync(path.join(MEMORY_FOLDER, "skills-mcp-"));
const origin = createOrigin(base);
const content = path.join(base, "content");
let good = "";
beforeAll(async () => {
  good = origin.commit({ "a.md": "good" });
  const { source } = openIn(content);
  expect(await source.refresh()).toMatchObject({ success: true });
  await source.close();
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function openIn(contentFolder: string, limits: Partial<GitLimits> = {}) {
  const source = createGitSource({
    repo: repoAt(origin.fileUrl),
    branch: "main",
    token: undefined,
    contentFolder,
    environment: { PATH: process.env["PATH"], HOME: base },
    log: NO_LOG,
    now: Date.now,
    limits,
  });
  return { origin, source };
}

/** A source with a copy of the clone, and the remote as it was then. */
function openCloned(limits: Partial<GitLimits> = {}) {
  const folder = createSandbox().path("content");
  cpSync(content, folder, { recursive: true, verbatimSymlinks: true });
  writeFileSync(path.join(origin.folder, "refs/heads/main"), `${good}\n`);
  const opened = openIn(folder, limits);
  onTestFinished(() => opened.source.close());
  return opened;
}

describe("a damaged cache", () => {
  const mirror = (cache: string, ...parts: string[]) => path.join(cache, "mirror.git", ...parts);
  test.each<[string, (cache: string) => void]>([
    ["a stale shallow.lock", (cache) => writeFileSync(mirror(cache, "shallow.lock"), "")],
    ["a stale index.lock", (cache) => writeFileSync(mirror(cache, "index.lock"), "")],
    ["a stale lock of the branch", (cache) => writeFileSync(mirror(cache, "refs/skills/head.lock"), "")],
    ["an empty HEAD", (cache) => truncateSync(mirror(cache, "HEAD"))],
    ["an empty config", (cache) => truncateSync(mirror(cache, "config"))],
    ["an empty branch", (cache) => truncateSync(mirror(cache, "refs/skills/head"))],
    ["no objects", (cache) => rmSync(mirror(cache, "objects"), { recursive: true })],
    ["corrupt packs", (cache) => corruptPacks(mirror(cache, "objects/pack"))],
    ["no mirror", (cache) => rmSync(mirror(cache), { recursive: true })],
    [
      "a file in the place of the mirror",
      (cache) => {
        rmSync(mirror(cache), { recursive: true });
        writeFileSync(mirror(cache), "");
      },
    ],
    ["a draft of a killed process", (cache) => mkdirSync(path.join(cache, "v", `${"0".repeat(40)}.tmp`))],
    ["a half-made mirror of a killed process", (cache) => mkdirSync(path.join(cache, "mirror.new.tmp"))],
  ])("with %s takes the next commit all the same", async (_, damage) => {
    const { origin, source } = openCloned();
    damage(cacheOf(source));
    const next = origin.commit({ "a.md": "good", "b.md": "new" });
    expect(await source.refresh()).toMatchObject({ success: true, commitHash: next, filesChanged: 1 });
    expect(await contentOf(source)).toEqual({ "a.md": "good", "b.md": "new" });
    expect(readdirSync(cacheOf(source)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test.each<[string, (folder: string, cache: string) => void]>([
    ["lacks a file", (folder) => rmSync(path.join(folder, "a.md"))],
    ["has an emptied file", (folder) => truncateSync(path.join(folder, "a.md"))],
    ["is gone", (folder) => rmSync(folder, { recursive: true })],
    ["has no record", (folder) => rmSync(`${folder}.json`)],
    ["has half a record", (folder) => truncateSync(`${folder}.json`, 40)],
    ["is not pointed to", (_, cache) => rmSync(path.join(cache, "current"))],
    [
      "is pointed past",
      (_, cache) => {
        rmSync(path.join(cache, "current"));
        symlinkSync("../../elsewhere", path.join(cache, "current"));
      },
    ],
  ])("whose version %s is written again at the next refresh", async (_, damage) => {
    const { source } = openCloned();
    damage((await source.current()) ?? "", cacheOf(source));
    expect(await source.refresh()).toMatchObject({ success: true, filesChanged: 0 });
    expect(await contentOf(source)).toEqual({ "a.md": "good" });
  });

  function corruptPacks(folder: string): void {
    const packs = readdirSync(folder).filter((name) => name.endsWith(".pack"));
    expect(packs).toHaveLength(1);
    for (const name of packs) {
      const file = path.join(folder, name);
      const bytes = readFileSync(file);
      bytes.fill(0x55, 12, Math.max(13, statSync(file).size - 20));
      rmSync(file);
      writeFileSync(file, bytes);
    }
  }
});

describe("a repository that is too large", () => {
  test.each<[string, Partial<GitLimits>, RegExp]>([
    ["in files", { files: 20 }, /more files than the limit of 20/],
    ["in bytes", { totalBytes: 1000 }, /MiB in all; the limit is/],
  ])("%s is refused as a whole before anything is written", async (_, limits, words) => {
    const { origin, source } = openCloned(limits);
    origin.commit(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}.md`, "x".repeat(50)])));
    await source.refresh();
    expect(source.state().failure).toMatchObject({
      code: "too-large",
      message: expect.stringMatching(words),
    });
    expect(await contentOf(source)).toEqual({ "a.md": "good" });
  });

  test("because its tree names one folder a billion times is refused after the first few", async () => {
    const { origin, source } = openCloned({ files: 5000 });
    const blob = origin.git("rev-parse", "main:a.md");
    let tree = makeTree(
      origin.folder,
      Array.from({ length: 10 }, (_, at) => `100644 blob ${blob}\t${at}`),
    );
    for (let level = 0; level < 9; level++)
      tree = makeTree(
        origin.folder,
        Array.from({ length: 10 }, (_, at) => `040000 tree ${tree}\t${at}`),
      );
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    const commit = origin.git(...identity, "commit-tree", tree, "-m", "bomb");
    origin.git("update-ref", "refs/heads/main", commit);
    await source.refresh();
    expect(source.state().failure).toMatchObject({ code: "too-large" });
    expect(await contentOf(source)).toEqual({ "a.md": "good" });
  });

  function makeTree(folder: string, lines: readonly string[]): string {
    return execFileSync("git", ["--git-dir", folder, "mktree"], { input: `${lines.join("\n")}\n` })
      .toString()
      .trim();
  }

  test("in one file lacks that file only", async () => {
    const { origin, source } = openCloned({ fileBytes: 100 });
    origin.commit({ "a.md": "good", "big.bin": "x".repeat(101) });
    expect(await source.refresh()).toMatchObject({ success: true });
    expect(await contentOf(source)).toEqual({ "a.md": "good" });
    expect(source.state().findings).toMatchObject([{ code: "file-too-large", path: "big.bin" }]);
  });
});
