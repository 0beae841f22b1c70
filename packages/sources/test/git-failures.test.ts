import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandLines } from "../../../test/support/git-processes.ts";
import { type GitServerMode, startGitServer } from "../../../test/support/git-server.ts";
import { createOrigin } from "../../../test/support/origin.ts";
import { createSandbox } from "../../../test/support/sandbox.ts";
import type { GitSourceOptions } from "../src/git-source.ts";
import { cacheOf, contentOf, openSource } from "./open-source.ts";

/** A source that has content, and the server it came from. */
async function openServed(options: Partial<GitSourceOptions> = {}) {
  const sandbox = createSandbox();
  const origin = createOrigin(sandbox.path());
  const server = await startGitServer(sandbox.path());
  origin.commit({ "a.md": "good" });
  const source = openSource(sandbox, server.url("team-skills.git"), options);
  expect(await source.refresh()).toMatchObject({ success: true });
  return { sandbox, origin, server, source };
}

/** Text that does not compress, so that a pack is long enough to be cut. */
const noise = Array.from({ length: 30_000 }, (_, at) => ((at * 2_654_435_761) >>> 7).toString(36)).join("");

describe("a failing remote", () => {
  test.each<[string, GitServerMode, string, RegExp]>([
    ["401", { kind: "status", status: 401 }, "denied", /requires a login; set GITHUB_TOKEN/],
    ["403", { kind: "status", status: 403 }, "denied", /denied access \(403\)/],
    ["404", { kind: "status", status: 404 }, "not-found", /was not found; check the address/],
    ["500", { kind: "status", status: 500 }, "server-error", /failed \(500\)/],
    ["a hang", { kind: "hang" }, "time-out", /too slowly/],
    ["a reset", { kind: "reset" }, "git-failed", /'git ls-remote' failed/],
    ["a cut in mid-pack", { kind: "cut", bytes: 20_000 }, "git-failed", /'git fetch' failed/],
  ])("with %s leaves the last good content, says so, and heals by itself", async (_, mode, code, words) => {
    const { origin, server, source } = await openServed({ limits: { lowSpeedSeconds: 3 } });
    const next = origin.commit({ "a.md": "new", "noise.bin": noise });
    server.mode = mode;
    const result = await source.refresh();
    expect(result).toMatchObject({ success: false, changed: false });
    const { failure } = source.state();
    expect(failure).toMatchObject({ code, message: expect.stringMatching(words) });
    expect(failure?.message).toMatch(/\. Commit [0-9a-f]{12} is still served\.$/);
    expect(await contentOf(source)).toEqual({ "a.md": "good" });
    expect(readdirSync(cacheOf(source)).filter((name) => name.endsWith(".tmp") || name === "lock")).toEqual(
      [],
    );

    server.mode = { kind: "ok" };
    expect(await source.refresh()).toMatchObject({ success: true, commitHash: next, filesChanged: 2 });
    expect(source.state().failure).toBeUndefined();
    expect(source.logged.at(-2)).toContain("recovered");
  });

  test("failing remote: reports when its first failure began, whatever fails later", async () => {
    let clock = Date.parse("2030-01-01T00:00:00Z");
    const { server, source } = await openServed({ now: () => clock });
    const { lastSync } = source.state();
    for (const status of [500, 404]) {
      clock += 60_000;
      server.mode = { kind: "status", status };
      expect(await source.refresh()).toMatchObject({ success: false, lastSync });
    }
    expect(source.state()).toMatchObject({
      lastSync: "2030-01-01T00:00:00.000Z",
      failure: { code: "not-found", since: "2030-01-01T00:01:00.000Z" },
    });
  });

  test("that takes too long in all is ended by our own clock", async () => {
    const sandbox = createSandbox();
    const server = await startGitServer(sandbox.path());
    server.mode = { kind: "hang" };
    const source = openSource(sandbox, server.url("team-skills.git"), { limits: { listMs: 200 } });
    await source.refresh();
    expect(source.state().failure).toMatchObject({
      code: "time-out",
      message: expect.stringContaining("ls-remote"),
    });
  });

  test("that sends more than is taken is stopped while it sends", async () => {
    const { origin, server, source } = await openServed({ limits: { packBytes: 10_000 } });
    origin.commit({ "a.md": "new", "noise.bin": noise });
    server.mode = { kind: "stall", bytes: 80_000 };
    await source.refresh();
    expect(source.state().failure).toMatchObject({ code: "too-large" });
    expect(await contentOf(source)).toEqual({ "a.md": "good" });
  });

  test("whose host has no address says so", async () => {
    const sandbox = createSandbox();
    const source = openSource(sandbox, "https://no-such-host.invalid/team/skills.git");
    expect(await source.refresh()).toMatchObject({
      success: false,
      message: expect.stringMatching(
        /^The host of https:\/\/no-such-host\.invalid\/.* There is no content yet\.$/,
      ),
    });
  });

  test("that refuses connections is reported as unreachable", async () => {
    const sandbox = createSandbox();
    const source = openSource(sandbox, "http://127.0.0.1:1/skills.git");
    await source.refresh();
    expect(source.state().failure).toMatchObject({ code: "unreachable" });
  });

  test("without the branch names the branch that there is, and heals when it comes back", async () => {
    const { origin, source } = await openServed();
    origin.commit({ "a.md": "other" }, { branch: "trunk" });
    origin.git("symbolic-ref", "HEAD", "refs/heads/trunk");
    const main = origin.git("rev-parse", "main");
    origin.git("update-ref", "-d", "refs/heads/main");
    await source.refresh();
    expect(source.state().failure).toMatchObject({
      code: "no-branch",
      message: expect.stringContaining("its default branch is 'trunk'; set SKILLS_BRANCH=trunk"),
    });
    expect(await contentOf(source)).toEqual({ "a.md": "good" });
    origin.git("update-ref", "refs/heads/main", main);
    expect(await source.refresh()).toMatchObject({ success: true, changed: false });
  });

  test("is tried again by itself until there is content", async () => {
    const sandbox = createSandbox();
    const source = openSource(sandbox, `file://${sandbox.path("team-skills.git")}`);
    source.startPeriodic(30);
    await source.refresh();
    expect(source.state().failure).toMatchObject({ code: "not-found" });
    createOrigin(sandbox.path()).commit({ "a.md": "late" });
    await expect.poll(() => source.state().commit, { timeout: 20_000 }).toBeDefined();
    // The content is switched to a moment before the attempt is over.
    await expect.poll(() => source.state().failure, { timeout: 20_000 }).toBeUndefined();
  });
});

describe("this machine", () => {
  test("without git gets the advice to install it", async () => {
    const sandbox = createSandbox();
    const source = openSource(sandbox, "https://example.com/skills.git", {
      environment: { PATH: "/shop/none" },
    });
    expect(await source.refresh()).toMatchObject({
      success: false,
      message: expect.stringContaining("install git 2.31 or newer"),
    });
  });

  test("with a git that is too old gets the required version", async () => {
    const sandbox = createSandbox();
    const git = sandbox.write("bin/git", "#!/bin/sh\necho git version 2.20.1\n");
    execFileSync("chmod", ["+x", git]);
    const source = openSource(sandbox, "https://example.com/skills.git", {
      environment: { PATH: path.dirname(git) },
    });
    await source.refresh();
    expect(source.state().failure).toMatchObject({ code: "git-too-old" });
  });

  test("ends git and what git started when the source is closed", async () => {
    const { server, source } = await openServed();
    server.mode = { kind: "hang" };
    const requests = server.requests.length;
    const running = source.refresh();
    await expect.poll(() => server.requests.length, { timeout: 20_000 }).toBeGreaterThan(requests);
    await source.close();
    expect(await running).toMatchObject({ success: false });
    expect(source.state()).toMatchObject({ failure: undefined, syncing: false });
    expect(commandLines().filter((line) => line.includes(server.origin))).toEqual([]);
  });

  const isRoot = process.platform === "linux" && process.getuid?.() === 0;
  // A file system of its own is needed, which only root can mount.
  test.skipIf(!isRoot)(
    "with a full disk keeps the last good content, and heals when there is room",
    async () => {
      const sandbox = createSandbox();
      const content = sandbox.path("small");
      mkdirSync(content);
      execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", content]);
      onTestFinished(() => void execFileSync("/bin/umount", ["-l", content]));
      const origin = createOrigin(sandbox.path());
      origin.commit({ "a.md": "good" });
      const source = openSource(sandbox, origin.fileUrl, { contentFolder: content });
      await source.refresh();
      const filler = path.join(content, "filler");
      // The first has no room for its pack, the second for its files: text that repeats makes a small pack.
      for (const text of [noise, "again ".repeat(20_000)]) {
        const { bavail, bsize } = statfsSync(content);
        writeFileSync(filler, Buffer.alloc(bavail * bsize - 60_000));
        const next = origin.commit({ "a.md": "new", "noise.bin": text });
        await source.refresh();
        expect(source.state().failure).toMatchObject({
          code: "disk-full",
          message: expect.stringContaining("free some space. Commit"),
        });
        expect(Object.keys(await contentOf(source))).toContain("a.md");
        rmSync(filler);
        expect(await source.refresh()).toMatchObject({ success: true, commitHash: next });
      }
    },
  );

  test.skipIf(process.platform === "win32")("with a folder in the way of the cache says which", async () => {
    const sandbox = createSandbox();
    const blocked = sandbox.write("blocked", "a file");
    const source = openSource(sandbox, "https://example.com/skills.git", { contentFolder: blocked });
    await source.refresh();
    expect(source.state().failure).toMatchObject({
      code: "cache-unwritable",
      message: expect.stringContaining(blocked),
    });
  });
});
