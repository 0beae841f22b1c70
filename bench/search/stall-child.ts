// How long does indexing hold the event loop, at most? The real keeper reads the skills below a folder, saves its index,
// and another one loads it. Prints what it measured as JSON.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createRegistry, type Snapshot } from "../../src/registry/registry.ts";
import { planRoots } from "../../src/registry/roots/roots.ts";
import { createScanner } from "../../src/registry/scan/scan.ts";
import { createIndexStore } from "../../src/search/cache/index-store.ts";
import { readSearchDocument } from "../../src/search/search-documents.ts";
import { createSearchKeeper, type IndexStore, type SearchKeeper } from "../../src/search/search-keeper.ts";
import type { StallFigures } from "./speed-figures.ts";

const dir = process.argv[2] ?? "";
const folder = mkdtempSync(path.join(tmpdir(), "skills-mcp-stall-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const snapshot = await scan();
let saving: Promise<void> = Promise.resolve();
/** The keeper does not wait until its index is saved. */
const store: IndexStore = createIndexStore({ folder, view: "bench", now: Date.now });
const watched: IndexStore = {
  load: () => store.load(),
  save: (kept) => {
    saving = store.save(kept);
    return saving;
  },
};
const build = await longestStall(async () => {
  await keeperOn({ ...watched, load: async () => undefined }).indexFor(snapshot);
});
const save = await longestStall(() => saving);
let read = 0;
const load = await longestStall(async () => {
  await keeperOn(watched, () => read++).indexFor(snapshot);
});
if (read > 0) throw new Error(`The saved index did not serve: ${read} skills were read again.`);
const figures: StallFigures = { build, save, load };
process.stdout.write(JSON.stringify(figures));

async function scan(): Promise<Snapshot> {
  const roots = planRoots({ cwd: folder, home: folder, skillDirs: [dir], defaultDirs: false });
  const registry = createRegistry({
    scan: createScanner({ roots, strict: false, now: Date.now }),
    filter: { include: [], exclude: [] },
    watch: false,
    intervalMs: undefined,
    onRefresh: () => {},
    onFailure: () => {},
    onWatchLimit: () => {},
  });
  const snapshot = await registry.refresh("request");
  registry.close();
  return snapshot;
}

function keeperOn(store: IndexStore, onRead: () => void = () => {}): SearchKeeper {
  return createSearchKeeper({
    store,
    read: (found) => {
      onRead();
      return readSearchDocument(found);
    },
  });
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
