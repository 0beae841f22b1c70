import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { createSandbox, FAST_FOLDER } from "../support/sandbox.ts";
import { buildChild, spawnChild } from "./child.ts";
import { cacheOf, contentOf, openSource } from "./open-source.ts";
import { createOrigin } from "./origin.ts";
import { environments } from "./processes.ts";

/** `node scripts/check-sync.mjs` runs far more of them. */
const ROUNDS = Number(process.env["SKILLS_MCP_SYNC_ROUNDS"] ?? "30");
const SEED = Number(process.env["SKILLS_MCP_SYNC_SEED"] ?? Date.now() % 1_000_000);

test(`readers see whole commits while syncing processes are killed, and it converges (seed ${SEED})`, {
  timeout: 60_000 + ROUNDS * 2_000,
}, async () => {
  const random = createRandom(SEED);
  const sandbox = createSandbox(FAST_FOLDER);
  const script = buildChild(sandbox);
  const origin = createOrigin(sandbox.path());
  const commit = (number: number) => {
    const count = 3 + Math.floor(random() * 12);
    const names = Array.from({ length: count }, (_, at) =>
      at % 2 === 0 ? `s${at}/SKILL.md` : `${number % 5}-${at}.md`,
    );
    return origin.commit(Object.fromEntries(names.map((name) => [name, `${number} ${count}`])), {
      orphan: random() < 0.4,
    });
  };
  let newest = commit(0);
  const source = openSource(sandbox, origin.fileUrl);
  await source.refresh();
  const reader = spawnChild(sandbox, script, "read", origin.fileUrl);

  for (let round = 1; round <= ROUNDS; round++) {
    newest = commit(round);
    const syncing = Array.from({ length: random() < 0.3 ? 2 : 1 }, () =>
      spawnChild(sandbox, script, "sync", origin.fileUrl),
    );
    await Promise.all(syncing.map(({ started }) => started));
    await new Promise((resolve) => setTimeout(resolve, random() * 250));
    for (const { child } of syncing) child.kill("SIGKILL");
    await Promise.all(syncing.map(({ ended }) => ended));
  }

  expect(await source.refresh()).toMatchObject({ success: true, commitHash: newest });
  const texts = new Set(Object.values(await contentOf(source)));
  expect([...texts]).toHaveLength(1);
  expect([...texts][0]).toMatch(new RegExp(`^${ROUNDS} `));

  reader.child.stdin?.end();
  await reader.ended;
  const report = JSON.parse(reader.output()) as { reads: number; commits: number; torn: string[] };
  expect(report.torn).toEqual([]);
  expect(report.commits).toBeGreaterThan(1);

  // One more version is brought by the last one alone, so nothing of the killed ones is left.
  newest = commit(ROUNDS + 1);
  expect(await source.refresh()).toMatchObject({ success: true, commitHash: newest });
  const cache = cacheOf(source);
  const names = [...readdirSync(cache), ...readdirSync(path.join(cache, "v"))];
  expect(names.filter((name) => name.endsWith(".tmp") || name === "lock")).toEqual([]);
  expect(environments().filter((text) => text.includes(`GIT_DIR=${cache}`))).toEqual([]);
});

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
