import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createRegistry, type Registry } from "../../src/registry/registry.ts";
import { planRoots } from "../../src/registry/roots/roots.ts";
import { createScanner } from "../../src/registry/scan/scan.ts";
import { createIndexStore } from "../../src/search/cache/index-store.ts";
import { searchIndex } from "../../src/search/engine/index-of-skills.ts";
import { readSearchDocument } from "../../src/search/search-documents.ts";
import { createSearchKeeper, type IndexStore } from "../../src/search/search-keeper.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const SKILLS = "project/.agents/skills";

function openRegistry(sandbox: Sandbox): Registry {
  const { home, project: cwd } = sandbox;
  const roots = planRoots({ cwd, home, skillDirs: [], defaultDirs: true });
  return createRegistry({
    scan: createScanner({ roots, strict: false, now: Date.now }),
    filter: { include: [], exclude: [] },
    watch: false,
    intervalMs: undefined,
    onRefresh: () => {},
    onFailure: () => {},
    onWatchLimit: () => {},
  });
}

/** A keeper that counts what it reads. */
function openKeeper(store?: IndexStore) {
  const read: string[] = [];
  const keeper = createSearchKeeper({
    store,
    read: (found) => {
      read.push(found.kind === "skill" ? found.entry.skill.name : found.skill.path);
      return readSearchDocument(found);
    },
  });
  return { keeper, read };
}

async function find(registry: Registry, { keeper }: ReturnType<typeof openKeeper>, query: string) {
  const index = await keeper.indexFor(await registry.refresh("request"));
  return searchIndex(index, query, { limit: 5 }).results.map(({ id }) => path.basename(id));
}

describe("the search index", () => {
  test("follows the disk, and reads only what changed", async () => {
    const sandbox = createSandbox();
    const registry = openRegistry(sandbox);
    const opened = openKeeper();
    sandbox.skill(`${SKILLS}/alpha`, { body: "All about zebras." });
    sandbox.skill(`${SKILLS}/beta`, { body: "All about giraffes." });
    expect(await find(registry, opened, "zebras")).toEqual(["alpha"]);
    // Past the grain of the clock, an unchanged file is not read again.
    await new Promise((resolve) => setTimeout(resolve, 2_600));
    expect(await find(registry, opened, "giraffes")).toEqual(["beta"]);
    opened.read.length = 0;
    expect(await find(registry, opened, "giraffes")).toEqual(["beta"]);
    expect(opened.read).toEqual([]);

    sandbox.skill(`${SKILLS}/beta`, { body: "All about okapis." });
    expect(await find(registry, opened, "okapis")).toEqual(["beta"]);
    expect(await find(registry, opened, "giraffes")).toEqual([]);
    expect(new Set(opened.read)).toEqual(new Set(["beta"]));

    rmSync(sandbox.path(SKILLS, "alpha"), { recursive: true });
    expect(await find(registry, opened, "zebras")).toEqual([]);
    registry.close();
  });

  test("holds the prompts of evals beside a skill", async () => {
    const sandbox = createSandbox();
    sandbox.skill(`${SKILLS}/alpha`);
    sandbox.write(
      `${SKILLS}/alpha/evals/evals.json`,
      JSON.stringify({ evals: [{ prompt: "tame a platypus" }] }),
    );
    sandbox.write(`${SKILLS}/alpha/evals/broken.json`, "{");
    sandbox.skill(`${SKILLS}/beta`);
    expect(await find(openRegistry(sandbox), openKeeper(), "platypus")).toEqual(["alpha"]);
  });
});

describe("the index on the disk", () => {
  function manySkills(): Sandbox {
    const sandbox = createSandbox();
    for (let index = 0; index < 520; index++)
      sandbox.skill(`${SKILLS}/s${index}`, { body: `Word w${index}w.` });
    return sandbox;
  }
  const storeOf = (sandbox: Sandbox) =>
    createIndexStore({ folder: sandbox.path("cache"), view: "v", now: Date.now });

  test("spares the next start the reading, but is never trusted over the files", async () => {
    const sandbox = manySkills();
    await new Promise((resolve) => setTimeout(resolve, 2_600));
    const first = openKeeper(storeOf(sandbox));
    expect(await find(openRegistry(sandbox), first, "w77w")).toEqual(["s77"]);
    expect(first.read).toHaveLength(520);
    await expect
      .poll(() => readdirSync(sandbox.path("cache")))
      .toEqual([expect.stringMatching(/^search-\w+\.idx$/)]);

    sandbox.skill(`${SKILLS}/s77`, { body: "Word changed." });
    rmSync(sandbox.path(SKILLS, "s78"), { recursive: true });
    const second = openKeeper(storeOf(sandbox));
    const registry = openRegistry(sandbox);
    expect(await find(registry, second, "w79w")).toEqual(["s79"]);
    expect(second.read).toEqual(["s77"]);
    expect(await find(registry, second, "w77w")).toEqual([]);
    expect(await find(registry, second, "w78w")).toEqual([]);
  });

  test("is rebuilt silently when it is cut, changed or empty", async () => {
    const sandbox = manySkills();
    await find(openRegistry(sandbox), openKeeper(storeOf(sandbox)), "w1w");
    await expect
      .poll(() => readdirSync(sandbox.path("cache")).filter((name) => name.endsWith(".idx")))
      .toHaveLength(1);
    const file = sandbox.path("cache", readdirSync(sandbox.path("cache"))[0] ?? "");
    const good = readFileSync(file);
    const flipped = Buffer.from(good);
    flipped[good.length >> 1] = (flipped[good.length >> 1] ?? 0) ^ 1;
    for (const bad of [good.subarray(0, good.length >> 1), flipped, Buffer.alloc(0), Buffer.from("junk")]) {
      writeFileSync(file, bad);
      expect(await storeOf(sandbox).load()).toBeUndefined();
    }
    writeFileSync(file, good);
    expect((await storeOf(sandbox).load())?.index.size).toBe(520);
  });

  test("a folder that cannot be written is no problem", async () => {
    const sandbox = manySkills();
    sandbox.write("cache", "a file where the folder should be");
    const store = storeOf(sandbox);
    const saves: Promise<void>[] = [];
    const watched: IndexStore = {
      load: store.load,
      save(kept) {
        saves.push(store.save(kept));
        return saves.at(-1) ?? Promise.resolve();
      },
    };
    expect(await find(openRegistry(sandbox), openKeeper(watched), "w5w")).toEqual(["s5"]);
    expect(await Promise.allSettled(saves)).toMatchObject([{ status: "rejected" }]);
  });
});
