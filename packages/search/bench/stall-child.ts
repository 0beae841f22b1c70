// How long does indexing hold the event loop, at most? The real index reads the skills below a folder and is saved,
// and another one loads it. Prints what it measured as JSON.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Snapshot } from "#skills";
import { createIndexCache } from "../src/cache/index-cache.ts";
import { createCurrentIndex, type IndexCache, type SearchableSkills } from "../src/search-engine.ts";
import { searchableSnapshot } from "../src/searchable.ts";
import { openSkills } from "../test/open-skills.ts";
import type { StallFigures } from "./speed-figures.ts";

const dir = process.argv[2] ?? "";
const folder = mkdtempSync(path.join(tmpdir(), "skills-mcp-stall-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const skills = searchableSnapshot(await scan()).indexed;
let saving: Promise<void> = Promise.resolve();
/** A search does not wait until the index is saved. */
const cache: IndexCache = createIndexCache({ folder, view: "bench", now: Date.now });
const watched: IndexCache = {
  ...cache,
  save: (indexed) => {
    saving = cache.save(indexed);
    return saving;
  },
};
const build = await longestStall(async () => {
  await createCurrentIndex({ cache: { ...watched, load: async () => undefined } }).of(skills);
});
const save = await longestStall(() => saving);
let read = 0;
const load = await longestStall(async () => {
  const counted: SearchableSkills = { ...skills, read: (id) => (read++, skills.read(id)) };
  await createCurrentIndex({ cache: watched }).of(counted);
});
if (read > 0) throw new Error(`The saved index did not serve: ${read} skills were read again.`);
const figures: StallFigures = { build, save, load };
process.stdout.write(JSON.stringify(figures));

async function scan(): Promise<Snapshot> {
  const registry = openSkills({ cwd: folder, userDir: folder, folders: { first: [dir], defaults: false } });
  const snapshot = await registry.refresh("request");
  registry.close();
  return snapshot;
}

/** The longest time between two rounds of the event loop while the work goes on, in ms. */
async function longestStall(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let running = true;
  const round = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(round);
  };
  setImmediate(round);
  await work();
  running = false;
  longest = Math.max(longest, performance.now() - last);
  return longest;
}
