// One subject, one corpus, one process: so that nothing else is in its memory. Prints what it measured as JSON.
import { setTimeout as sleep } from "node:timers/promises";
import { median, percentile } from "../../../bench/measure.ts";
import type { Searched } from "./documents.ts";
import { HOSTILE_QUERIES } from "./hostile-queries.ts";
import { realCorpus, writtenCorpus } from "./speed-corpus.ts";
import type { SpeedFigures, SpeedOrder } from "./speed-figures.ts";
import { createSubject } from "./speed-subjects.ts";

const WARM_UP = 50;
/** A subject that takes seconds for a query is not asked all of them, but enough to know. */
const LONGEST_ASKING_MS = 15_000;
const FEWEST_QUERIES = 20;
const EDITS = 20;

const { name, size, dir } = JSON.parse(process.argv[2] ?? "{}") as SpeedOrder;
/** Held by the functions below, so that it is in memory at both times that memory is measured. */
const corpus = dir === undefined ? realCorpus(size) : writtenCorpus(dir);
const subject = createSubject(name);

const before = await usedBytes();
const edited: Searched[] = [];
let buildMs = 0;
let count = 0;
for (const searched of corpus?.documents() ?? []) {
  buildMs += elapsed(() => subject.add(searched));
  if (count++ % Math.ceil(size / EDITS) === 0) edited.push(changed(searched));
}
buildMs += elapsed(() => subject.finish());
if (count !== size) throw new Error(`${count} of ${size} skills were indexed.`);

const times = ask();
const bytes = (await usedBytes()) - before;
const figures: SpeedFigures = {
  buildMs,
  megabytes: bytes / 2 ** 20,
  queryMs: { p50: percentile(times, 0.5), p99: percentile(times, 0.99), count: times.length },
  hostileMs: askHostile(),
  ...(await measureStore()),
};
process.stdout.write(JSON.stringify(figures));

function ask(): readonly number[] {
  const { queries } = corpus ?? { queries: [] };
  for (const query of queries.slice(0, WARM_UP)) subject.search(query);
  const times: number[] = [];
  const end = performance.now() + LONGEST_ASKING_MS;
  for (const query of queries) {
    if (times.length >= FEWEST_QUERIES && performance.now() > end) break;
    times.push(elapsed(() => subject.search(query)));
  }
  return times;
}

/** Only of ours: the others would take minutes for some of them. */
function askHostile(): number {
  if (!name.startsWith("skills-mcp")) return Number.NaN;
  return Math.max(...Object.values(HOSTILE_QUERIES).map((query) => elapsed(() => subject.search(query))));
}

/** A snapshot, then one edit after another on top of what the one before has left. */
async function measureStore(): Promise<Pick<SpeedFigures, "store">> {
  const { store } = subject;
  if (store === undefined) return {};
  const beforeSave = performance.now();
  const saved = new Uint8Array(await store.save());
  const saveMs = performance.now() - beforeSave;
  const beforeLoad = performance.now();
  await store.load(saved);
  const loadMs = performance.now() - beforeLoad;
  const edits = edited.map((searched) => elapsed(() => store.edit(searched)));
  const edit = { p50: median(edits), most: percentile(edits, 1) };
  return { store: { saveMs, loadMs, savedMegabytes: saved.byteLength / 2 ** 20, editMs: edit } };
}

function changed({ document, text }: Searched): Searched {
  const added = "Now also checks the carburettor before every release.";
  return { document: { ...document, body: `${document.body}\n${added}\n` }, text: `${text}\n${added}\n` };
}

function elapsed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** What lives in the heap and in typed arrays once all garbage is gone. */
async function usedBytes(): Promise<number> {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error("Start this with --expose-gc.");
  for (let round = 0; round < 3; round++) {
    gc();
    await sleep(10);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
