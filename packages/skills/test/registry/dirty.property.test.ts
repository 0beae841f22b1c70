import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import type { DirtyFolders } from "../../src/scan/listing.ts";
import { createScanner, type ScanResult } from "../../src/scan/scan.ts";
import { applyEdit, aTree, openAll, optionsFor, someEdits } from "./edits.ts";

/** `npm run check:edits` makes many more. */
const SEQUENCES = Math.ceil(Number(process.env["SKILLS_MCP_EDIT_SEQUENCES"] ?? 30) * 0.3);

/** What a system's watches can tell of every place below a folder: what it is, and of a file also its content. */
function stateOf(folder: string, state = new Map<string, string>()): ReadonlyMap<string, string> {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return state;
  }
  for (const name of names) {
    const place = path.join(folder, name);
    const { mode, ino, size, mtimeMs, ctimeMs } = lstatSync(place);
    const isFolder = lstatSync(place).isDirectory();
    state.set(place, JSON.stringify(isFolder ? [mode, ino] : [mode, ino, size, mtimeMs, ctimeMs]));
    if (isFolder) stateOf(place, state);
  }
  return state;
}

/** What the watcher would report; undefined when it would ask for a whole scan, or cannot notice. */
function reportOf(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  { folders: watched, awaited }: ScanResult,
): DirtyFolders | undefined {
  const dirty = new Map<string, Set<string>>();

  const decides = [...watched, ...awaited];
  for (const place of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(place) === after.get(place)) continue;
    const folder = path.dirname(place);
    const names = dirty.get(folder) ?? new Set();
    names.add(path.basename(place));
    if (watched.has(folder)) dirty.set(folder, names);
    const isAwaited = awaited.some((each) => each === place || each.startsWith(`${place}/`));
    const leadsToOne = !watched.has(folder) && decides.some((each) => `${each}/`.startsWith(`${place}/`));
    if (isAwaited || leadsToOne) return undefined;
  }
  return dirty;
}

function plain({
  enabled,
  disabled,
  diagnostics,
  folders,
  awaited,
  listing,
  fingerprints,
  surroundings,
}: ScanResult) {
  return {
    enabled,
    disabled,
    diagnostics,
    folders: [...folders].sort(),
    awaited,
    listing,
    surroundings: [...surroundings()].sort(),
    fingerprints: fingerprints.size,
  };
}

test(`after each edit of ${SEQUENCES} sequences, a scan of the dirty folders shows what a whole one shows`, {
  timeout: 60_000 + SEQUENCES * 1_000,
}, async () => {
  const sandbox = createSandbox();
  let sequence = 0;
  let partial = 0;
  const sameAsFresh = fc.asyncProperty(aTree, someEdits, async (tree, edits) => {
    const world = sandbox.path(`world-${sequence++}`);
    mkdirSync(world);
    try {
      const options = optionsFor(world, Date.now);
      for (const edit of tree) await applyEdit(world, edit, async () => {});
      const scan = createScanner(options);
      let last = await scan();
      for (const edit of edits) {
        const before = stateOf(world);
        await applyEdit(world, edit, async () => {});
        const dirty = reportOf(before, stateOf(world), last);
        if (dirty !== undefined && dirty.size > 0) partial++;
        last = await scan({ dirty });
        expect(plain(last)).toEqual(plain(await createScanner(options)()));
      }
    } finally {
      openAll(world);
      rmSync(world, { recursive: true });
    }
  });
  await fc.assert(sameAsFresh, { numRuns: SEQUENCES });
  // Scans that are never partial would prove nothing.
  expect(partial).toBeGreaterThan(SEQUENCES);
});

test.each([
  ["beside it", "x/SKILL.md", "project/.agents/skills/x"],
  ["in another root", "../../../named/SKILL.md", "named"],
])("a link to a skill file %s is broken once the file is gone", async (_where, target, folder) => {
  const sandbox = createSandbox();
  const options = optionsFor(sandbox.path("."), Date.now);
  sandbox.skill("project/.agents/skills/x");
  sandbox.skill("named");
  symlinkSync(target, sandbox.path("project/.agents/skills/y"));
  const scan = createScanner(options);
  const before = await scan();
  expect(before.diagnostics.map(({ code }) => code)).not.toContain("broken-link");
  rmSync(sandbox.path(`${folder}/SKILL.md`));
  const last = await scan({ dirty: new Map([[sandbox.path(folder), new Set(["SKILL.md"])]]) });
  expect(plain(last)).toEqual(plain(await createScanner(options)()));
  expect(last.diagnostics.map(({ code }) => code)).toContain("broken-link");
});
