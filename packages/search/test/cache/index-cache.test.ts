import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import { createIndexCache, formatIndexFile, parseIndexFile } from "../../src/cache/index-cache.ts";
import type { SearchDocument } from "../../src/engine/index/build-segment.ts";
import { createIndexBuilder, type SearchIndex, updateIndex } from "../../src/engine/index/search-index.ts";
import { searchIndex } from "../../src/engine/rank/rank-skills.ts";
import { runToEnd } from "../../src/engine/steps.ts";
import type { IndexedSkills } from "../../src/search-engine.ts";
import { corpus, doc, document, id, query } from "../engine/corpora.ts";

function indexOf(documents: readonly SearchDocument[]): SearchIndex {
  const builder = createIndexBuilder();
  for (const one of documents) builder.add(one);
  return runToEnd(builder.finish());
}

const indexed = (
  index: SearchIndex,
  fingerprints: ReadonlyMap<string, string> = new Map(),
): IndexedSkills => ({
  index,
  fingerprints,
});
const format = async (skills: IndexedSkills): Promise<Buffer> => Buffer.concat(await formatIndexFile(skills));
const answer = (index: SearchIndex | undefined, text: string): string =>
  index === undefined ? "none" : JSON.stringify(searchIndex(index, text, { limit: 20 }));

describe("the file of an index", () => {
  test("answers alike after a round trip, wherever its bytes begin", async () => {
    const edit = fc.record({
      removed: fc.array(id, { maxLength: 3 }),
      added: fc.array(document, { maxLength: 3 }),
    });
    const fingerprints = fc.dictionary(fc.string(), fc.string()).map((all) => new Map(Object.entries(all)));
    await fc.assert(
      fc.asyncProperty(
        corpus,
        edit,
        query,
        fingerprints,
        fc.nat(3),
        async (start, change, text, prints, shift) => {
          const index = runToEnd(updateIndex(indexOf(start), change));
          const bytes = await format(indexed(index, prints));
          const shifted = Buffer.concat([Buffer.alloc(shift), bytes]).subarray(shift);
          const read = await parseIndexFile(shifted);
          expect(read?.fingerprints).toEqual(prints);
          expect(read?.index.size).toBe(index.size);
          expect(answer(read?.index, text)).toBe(answer(index, text));
        },
      ),
    );
  });

  test("holds ids and terms with half a surrogate pair", async () => {
    const index = indexOf([doc("\ud83d-half", { body: "x\u{20000}\ud840y 图" })]);
    const read = await parseIndexFile(await format(indexed(index)));
    expect(read?.index.views[0]?.segment.ids).toEqual(["\ud83d-half"]);
    expect(read?.index.views[0]?.segment.terms).toEqual(index.views[0]?.segment.terms);
  });

  test("holds more documents than 16 bits can number", async () => {
    const documents = Array.from({ length: 66_000 }, (_, number) =>
      doc(`s${number}`, { name: `w${number}` }),
    );
    const read = await parseIndexFile(await format(indexed(indexOf(documents))));
    for (const number of [0, 65_535, 65_536])
      expect(answer(read?.index, `w${number}`)).toContain(`"s${number}"`);
  });

  test("an index file that was cut or changed anywhere is refused", async () => {
    const bytes = await format(indexed(indexOf([doc("a", { body: "zebras" })]), new Map([["a", "1"]])));
    for (let at = 0; at < bytes.length; at++) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at & 7));
      expect(await parseIndexFile(flipped)).toBeUndefined();
      expect(await parseIndexFile(bytes.subarray(0, at))).toBeUndefined();
    }
    expect(await parseIndexFile(Buffer.concat([bytes, Buffer.alloc(4)]))).toBeUndefined();
  });
});

describe("the cached index", () => {
  const skills = (count: number): IndexedSkills =>
    indexed(
      indexOf(Array.from({ length: count }, (_, number) => doc(`s${number}`, { body: `w${number}w` }))),
    );
  const cacheIn = (sandbox: Sandbox, { view = "v", now = Date.now } = {}) =>
    createIndexCache({ folder: sandbox.path("cache"), view, now });
  const files = (sandbox: Sandbox) => readdirSync(sandbox.path("cache"));

  test("a saved index is there for the next start with the same view", async () => {
    const sandbox = createSandbox();
    await cacheIn(sandbox).save(skills(500));
    expect(files(sandbox)).toEqual([expect.stringMatching(/^search-\w+\.idx$/)]);
    expect((await cacheIn(sandbox).load())?.index.size).toBe(500);
    expect(await cacheIn(sandbox, { view: "other" }).load()).toBeUndefined();
  });

  test("the cache knows which skills it was saved with, without loading the index", async () => {
    const sandbox = createSandbox();
    // Longer than what is read at once, so that the end of the list is in a later part.
    const prints = new Map(
      Array.from({ length: 9_000 }, (_, number) => [`/${"x".repeat(120)}/${number}\u2028`, `${number}`]),
    );
    const cache = cacheIn(sandbox);
    expect(await cache.has(prints)).toBe(false);
    await cache.save({ ...skills(500), fingerprints: prints });
    expect(await cache.has(prints)).toBe(true);
    const [[first]] = [...prints] as [[string, string]];
    const others = {
      "one changed": new Map(prints).set(first, "changed"),
      "one more": new Map(prints).set("more", "1"),
      "one less": new Map([...prints].slice(1)),
      none: new Map<string, string>(),
    };
    for (const [what, other] of Object.entries(others)) expect(await cache.has(other), what).toBe(false);
  });

  test("the cache is not written for a few skills, which are indexed faster than a file is read", async () => {
    const sandbox = createSandbox();
    mkdirSync(sandbox.path("cache"));
    await cacheIn(sandbox).save(skills(499));
    expect(files(sandbox)).toEqual([]);
  });

  test("the cache is written once a minute at most", async () => {
    const sandbox = createSandbox();
    let now = Date.now();
    const cache = cacheIn(sandbox, { now: () => now });
    const sizes: (number | undefined)[] = [];
    for (const [count, laterMs] of [
      [500, 0],
      [501, 59_999],
      [502, 1],
    ] as const) {
      now += laterMs;
      await cache.save(skills(count));
      sizes.push((await cache.load())?.index.size);
    }
    expect(sizes).toEqual([500, 500, 502]);
  });

  test("a cache file that is cut, changed, empty or something else counts as absent", async () => {
    const sandbox = createSandbox();
    const cache = cacheIn(sandbox);
    await cache.save(skills(500));
    const file = sandbox.path("cache", files(sandbox)[0] ?? "");
    const good = readFileSync(file);
    for (const bad of [good.subarray(0, good.length >> 1), Buffer.alloc(0), Buffer.from("junk")]) {
      writeFileSync(file, bad);
      expect(await cache.load()).toBeUndefined();
    }
    for (const bad of [Buffer.alloc(0), Buffer.from("junk"), good.subarray(0, 100)]) {
      writeFileSync(file, bad);
      expect(await cache.has(new Map([["s1", "1"]]))).toBe(false);
    }
  });

  test("the cache is not saved where its folder cannot be written", async () => {
    const sandbox = createSandbox();
    sandbox.write("cache", "a file where the folder should be");
    await expect(cacheIn(sandbox).save(skills(500))).rejects.toThrow();
  });
});
