import { readdirSync, readFileSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { takeLock } from "#util";
import { commandLines, HAS_PROC } from "../../../test/support/git-processes.ts";
import { startGitServer } from "../../../test/support/git-server.ts";
import { createOrigin } from "../../../test/support/origin.ts";
import { createSandbox } from "../../../test/support/sandbox.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { buildChild, spawnChild } from "./child.ts";
import { cacheOf, contentOf, openSource } from "./open-source.ts";

const never = () => false;
const atOnce = () => {
  let asked = 0;
  return () => asked++ > 0;
};

describe("the lock of a cache", () => {
  test("folder lock: only one of many concurrent callers owns it", async () => {
    const folder = createSandbox().home;
    let owners = 0;
    let most = 0;
    let turns = 0;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const lock = await takeLock(folder, Date.now, never);
        most = Math.max(most, ++owners);
        turns++;
        // Long enough for the others to try.
        for (let turn = 0; turn < 20; turn++) await readdir(folder);
        owners--;
        await lock?.release();
      }),
    );
    expect({ most, turns }).toEqual({ most: 1, turns: 8 });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("folder lock: it is taken from a process that ended, or whose id another process has now, never from a living one", async () => {
    const sandbox = createSandbox();
    const held = await takeLock(sandbox.home, Date.now, never);
    expect(await takeLock(sandbox.home, Date.now, atOnce())).toBeUndefined();
    await held?.release();
    const lock = await takeLock(sandbox.home, Date.now, never);
    const [name = ""] = readdirSync(sandbox.path("home/lock"));
    await lock?.release();
    const [pid = "", start = "", boot = "", machine = "", once = ""] = name.split("-");
    const others = [
      [pid, `${Number(start) - 1}`, boot, machine, once],
      [pid, start, "00000000", machine, once],
      ["4194305", start, boot, machine, once],
    ];
    for (const other of others) {
      sandbox.write(`home/lock/${other.join("-")}`, "");
      const taken = await takeLock(sandbox.home, Date.now, atOnce());
      expect(taken).toBeDefined();
      expect(readdirSync(sandbox.path("home/lock"))).toHaveLength(1);
      await taken?.release();
    }
  });

  test("folder lock: it is taken from a process of another machine or container after a long silence", async () => {
    const sandbox = createSandbox();
    sandbox.write("home/lock/1-1-00000000-00000000-00", "");
    expect(await takeLock(sandbox.home, Date.now, atOnce())).toBeUndefined();
    expect(await takeLock(sandbox.home, () => Date.now() + 3_600_000, atOnce())).toBeDefined();
  });

  test("folder lock: an empty lock folder is free", async () => {
    const sandbox = createSandbox();
    sandbox.write("home/lock/x", "");
    rmSync(sandbox.path("home/lock/x"));
    expect(await takeLock(sandbox.home, Date.now, never)).toBeDefined();
  });
});

describe("processes that share a cache", () => {
  test("shared cache: several processes fetch once, and each sees the new version", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    const server = await startGitServer(sandbox.path());
    const commit = origin.commit({ "a.md": "one" });
    const sources = [1, 2, 3].map(() => openSource(sandbox, server.url("team-skills.git")));
    const results = await Promise.all(sources.map((source) => source.refresh()));
    expect(results.map(({ success, commitHash, changed }) => ({ success, commitHash, changed }))).toEqual(
      sources.map(() => ({ success: true, commitHash: commit, changed: true })),
    );
    // One list of branches each, and one fetch.
    expect(server.requests.filter(({ method }) => method === "GET")).toHaveLength(4);

    const next = origin.commit({ "a.md": "two" });
    await sources[0]?.refresh();
    await sources[1]?.current();
    expect(sources.map((source) => source.state().commit)).toEqual([next, next, commit]);
    expect(await sources[1]?.refresh()).toMatchObject({ commitHash: next, changed: true, filesChanged: 1 });
    expect(server.requests.filter(({ method }) => method === "GET")).toHaveLength(7);
  });

  test.skipIf(!HAS_PROC)(
    "wait for one that fetches, and take over from one that was killed, with its git",
    async () => {
      const sandbox = createSandbox();
      const script = buildChild(sandbox);
      const origin = createOrigin(sandbox.path());
      const server = await startGitServer(sandbox.path());
      const url = server.url("team-skills.git");
      origin.commit({ "a.md": "one" });
      const source = openSource(sandbox, url, { limits: { lockWaitMs: 100 } });
      await source.refresh();
      const next = origin.commit({ "a.md": "two" });

      server.mode = { kind: "stall", bytes: 0 };
      const { child, ended } = spawnChild(sandbox, script, url);
      const lock = path.join(cacheOf(source), "lock");
      const fetching = () =>
        readdirSync(lock).map((name) => readFileSync(path.join(lock, name), "utf8"))[0] ?? "";
      await waitUntil("the child's git", () => {
        try {
          return (
            /^\d+ \d+$/.test(fetching()) && gitsFor(server.origin).some((line) => line.includes("fetch"))
          );
        } catch {
          return false;
        }
      });
      expect(await source.refresh()).toMatchObject({ success: false });
      expect(source.state().failure).toMatchObject({ code: "busy" });

      child.kill("SIGKILL");
      await ended;
      server.mode = { kind: "ok" };
      expect(gitsFor(server.origin)).not.toEqual([]);
      expect(await source.refresh()).toMatchObject({ success: true, commitHash: next });
      expect(await contentOf(source)).toEqual({ "a.md": "two" });
      await waitUntil("the end of the orphan", () => gitsFor(server.origin).length === 0);
    },
  );
});

/** The gits that talk to a server. */
const gitsFor = (origin: string): readonly string[] =>
  commandLines().filter((line) => line.includes(origin) && line.startsWith("git"));
