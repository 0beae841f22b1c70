import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { searchIndex } from "../src/engine/rank/rank-skills.ts";
import {
  type CurrentIndex,
  createCurrentIndex,
  type IndexCache,
  type IndexedSkills,
  type SearchableSkills,
} from "../src/search-engine.ts";
import { doc } from "./engine/corpora.ts";

/** Skills by id, with the text that is also their fingerprint; undefined cannot be read. */
function skillsOf(bodies: Readonly<Record<string, string | undefined>>) {
  const read: string[] = [];
  const skills: SearchableSkills = {
    fingerprints: new Map(Object.entries(bodies).map(([id, body]) => [id, body ?? "unreadable"])),
    async read(id) {
      read.push(id);
      const body = bodies[id];
      return body === undefined ? undefined : doc(id, { body });
    },
  };
  return { skills, read };
}

const many = (count: number, changed: Readonly<Record<string, string>> = {}) =>
  skillsOf({
    ...Object.fromEntries(Array.from({ length: count }, (_, number) => [`s${number}`, `word w${number}w`])),
    ...changed,
  });

async function find(current: CurrentIndex, skills: SearchableSkills, query: string) {
  return searchIndex(await current.of(skills), query, { limit: 5 }).results.map(({ id }) => id);
}

/** A cache in memory. */
function memoryCache(loaded?: IndexedSkills): IndexCache & { readonly saved: IndexedSkills[] } {
  const saved: IndexedSkills[] = [];
  return {
    saved,
    load: async () => loaded,
    has: async (fingerprints) => isDeepStrictEqual(fingerprints, loaded?.fingerprints),
    save: async (indexed) => void saved.push(indexed),
  };
}

describe("the current index", () => {
  test("follows the skills and reads only those that changed", async () => {
    const current = createCurrentIndex({ cache: undefined });
    expect(await find(current, skillsOf({ a: "zebras", b: "giraffes" }).skills, "zebras")).toEqual(["a"]);
    const changed = skillsOf({ a: "zebras", b: "okapis" });
    expect(await find(current, changed.skills, "okapis")).toEqual(["b"]);
    expect(await find(current, changed.skills, "giraffes")).toEqual([]);
    expect(changed.read).toEqual(["b"]);
    const fewer = skillsOf({ b: "okapis" });
    expect(await find(current, fewer.skills, "zebras")).toEqual([]);
    expect(fewer.read).toEqual([]);
  });

  test("forgets the text of a skill that can no longer be read", async () => {
    const current = createCurrentIndex({ cache: undefined });
    await current.of(skillsOf({ a: "zebras", b: "giraffes" }).skills);
    expect(await find(current, skillsOf({ a: undefined, b: "giraffes" }).skills, "zebras")).toEqual([]);
  });

  test.each([
    ["one skill", { s5: "word changed" }],
    [
      "most skills",
      Object.fromEntries(Array.from({ length: 280 }, (_, number) => [`s${number}`, "word changed"])),
    ],
  ])("finds the rest after %s changed", async (_what, changed) => {
    const current = createCurrentIndex({ cache: undefined });
    await current.of(many(300).skills);
    const { skills, read } = many(300, changed);
    expect(await find(current, skills, "w299w")).toEqual(["s299"]);
    expect(await find(current, skills, "w5w")).toEqual([]);
    expect((await current.of(skills)).size).toBe(300);
    expect(new Set(read).size).toBeGreaterThanOrEqual(Object.keys(changed).length);
  });

  test("starts from the cached index and reads what differs from it", async () => {
    const first = memoryCache();
    const before = createCurrentIndex({ cache: first });
    await before.of(many(600).skills);
    await before.saved();
    const cached = first.saved[0];
    const { skills, read } = many(600, { s77: "word changed" });
    const after = createCurrentIndex({ cache: memoryCache(cached) });
    expect(await find(after, skills, "w79w")).toEqual(["s79"]);
    expect(await find(after, skills, "w77w")).toEqual([]);
    expect(read).toEqual(["s77"]);
  });

  describe("prepared for a search", () => {
    const prepared = async (cached: IndexedSkills | undefined, changed = {}) => {
      let loads = 0;
      const memory = memoryCache(cached);
      const cache = { ...memory, load: () => (loads++, memory.load()) };
      const current = createCurrentIndex({ cache });
      const { skills, read } = many(3, changed);
      await current.prepare(skills);
      return { current, skills, read: [...read], loads: () => loads };
    };
    const cachedIndex = async (): Promise<IndexedSkills | undefined> => {
      const cache = memoryCache();
      await createCurrentIndex({ cache }).of(many(3).skills);
      return cache.saved[0];
    };

    test("is built where the cache has none, and at hand for the search", async () => {
      const { current, skills, read } = await prepared(undefined);
      expect(read).toEqual(["s0", "s1", "s2"]);
      expect(await find(current, skills, "w1w")).toEqual(["s1"]);
    });

    test("stays in the cache that has it, until somebody searches", async () => {
      const { current, skills, read, loads } = await prepared(await cachedIndex());
      expect([read, loads()]).toEqual([[], 0]);
      expect(await find(current, skills, "w1w")).toEqual(["s1"]);
      expect(loads()).toBe(1);
    });

    test("is updated where the cache has an older one", async () => {
      const { current, skills, read, loads } = await prepared(await cachedIndex(), { s1: "word changed" });
      expect([read, loads()]).toEqual([["s1"], 1]);
      expect(await find(current, skills, "changed")).toEqual(["s1"]);
    });

    test("follows the skills in memory once it is there", async () => {
      const { current, skills, loads } = await prepared(await cachedIndex());
      await find(current, skills, "w1w");
      const { skills: later, read } = many(3, { s2: "word changed" });
      await current.prepare(later);
      expect([read, loads()]).toEqual([["s2"], 1]);
    });
  });

  test("saves once the server is idle, and not when nothing changed", async () => {
    const waiting: (() => void)[] = [];
    const cache = memoryCache();
    const current = createCurrentIndex({ cache, whenIdle: (action) => waiting.push(action) });
    await current.of(many(3).skills);
    expect(cache.saved).toEqual([]);
    for (const action of waiting) action();
    await current.saved();
    expect(cache.saved).toHaveLength(1);
    await current.of(many(3).skills);
    expect(waiting).toHaveLength(1);
  });

  test("works without a cache that can be read or written", async () => {
    const broken: IndexCache = {
      load: () => Promise.reject(new Error("no such file")),
      has: async () => false,
      save: () => Promise.reject(new Error("read-only")),
    };
    const current = createCurrentIndex({ cache: broken });
    expect(await find(current, many(3).skills, "w1w")).toEqual(["s1"]);
    await current.saved();
  });

  test("reads again what failed before", async () => {
    const current = createCurrentIndex({ cache: undefined });
    const { skills } = many(3);
    const failing = { ...skills, read: () => Promise.reject(new Error("disk failure")) };
    await expect(current.of(failing)).rejects.toThrow("disk failure");
    expect(await find(current, skills, "w1w")).toEqual(["s1"]);
  });
});
