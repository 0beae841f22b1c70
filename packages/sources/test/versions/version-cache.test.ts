import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { PLATFORMS } from "#util";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { createVersionCache, type VersionRecord } from "../../src/versions/version-cache.ts";

const commit = (digit: number) => String(digit).repeat(40);
const recordOf = (digit: number): VersionRecord => ({
  commit: commit(digit),
  kept: [{ mode: "100644", oid: "1", size: 1, path: "a.md" }],
  dropped: [],
  findings: [],
});

describe.each(["linux", "win32"] as const)("versions on %s", (name) => {
  function open() {
    const folder = createSandbox().home;
    const cache = createVersionCache(folder, PLATFORMS[name]);
    const publish = async (digit: number) => {
      const { name, draft } = await cache.prepare(commit(digit));
      writeFileSync(path.join(draft, "a.md"), String(digit));
      await cache.publish(name, draft, recordOf(digit));
      return name;
    };
    return { folder, cache, publish };
  }

  test("are seen only once they are whole, one after the other", async () => {
    const { folder, cache, publish } = open();
    expect(await cache.current()).toBeUndefined();
    await cache.prepare(commit(9));
    expect(await cache.current()).toBeUndefined();
    for (const digit of [1, 2]) {
      const name = await publish(digit);
      expect(await cache.current()).toBe(name);
      expect(readFileSync(path.join(cache.folderOf(name), "a.md"), "utf8")).toBe(String(digit));
      expect(await cache.check(name)).toEqual(recordOf(digit));
    }
    expect(statSync(cache.pointer).isFile()).toBe(name === "win32");
    await cache.clear();
    expect(readdirSync(path.join(folder, "v")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    await cache.reuse(commit(1));
    expect(await cache.current()).toBe(commit(1));
  });

  test("that are damaged are written beside, under another name", async () => {
    const { cache, publish } = open();
    const first = await publish(1);
    rmSync(path.join(cache.folderOf(first), "a.md"));
    expect(await cache.check(first)).toBeUndefined();
    const second = await publish(1);
    expect(second).toBe(`${commit(1)}.2`);
    expect(await cache.current()).toBe(second);
    expect(await cache.check(second)).toEqual(recordOf(1));
  });

  test("that are unused are removed, but never the current one", async () => {
    const { folder, cache, publish } = open();
    for (const digit of [1, 2, 3, 4, 5]) await publish(digit);
    await cache.reuse(commit(1));
    const inUse = new Set([commit(2)]);
    const names = () => readdirSync(path.join(folder, "v")).filter((name) => !name.endsWith(".json"));
    await cache.prune({ keep: 1, graceMs: 60_000, now: Date.now(), inUse });
    expect(names()).toHaveLength(5);
    await cache.prune({ keep: 0, graceMs: 0, now: Date.now() + 60_000, inUse });
    expect(names()).toEqual([commit(1), commit(2)]);
  });

  test.each(["../../elsewhere", "v/not-a-commit", ""])(
    "are not read through a pointer to %j",
    async (target) => {
      const { cache, publish } = open();
      await publish(1);
      rmSync(cache.pointer);
      writeFileSync(cache.pointer, target);
      expect(await cache.current()).toBeUndefined();
    },
  );
});
