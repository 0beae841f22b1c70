import { describe, expect, test } from "vitest";
import {
  type CurrentIndex,
  createCurrentIndex,
  type IndexCache,
  type IndexedSkills,
  type SearchableSkills,
} from "../../src/search/current-index.ts";
import { searchIndex } from "../../src/search/engine/rank/rank-skills.ts";
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
  return { saved, load: async () => loaded, save: async (indexed) => void saved.push(indexed) };
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
