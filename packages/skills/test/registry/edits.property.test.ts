import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { buildCatalog } from "../../src/catalog/catalog.ts";
import { createScanner, type Scan } from "../../src/scan/scan.ts";
import { applyEdit, aTree, openAll, optionsFor, someEdits, WAIT_MS } from "./edits.ts";

/** `npm run check:edits` makes many more. */
const SEQUENCES = Number(process.env["SKILLS_MCP_EDIT_SEQUENCES"] ?? 8);

/**
 * The scanner reads a file again when it was changed up to 2.5 s before it was last read, which in a test is always.
 * A clock that is ahead shortens that to 20 ms, still several ticks of the clock of a file system on Linux.
 */
const now = () => Date.now() + 2_500 - (WAIT_MS - 5);

/** Everything that is made of one scan. */
async function seenBy(scan: Scan) {
  const { enabled, disabled, diagnostics, folders, awaited } = await scan();
  const listing = buildCatalog(enabled).entries;
  return { enabled, disabled, diagnostics, listing, folders: [...folders].sort(), awaited };
}

test(`after each edit of ${SEQUENCES} sequences, a scanner with a cache sees what a fresh one sees`, {
  timeout: 60_000 + SEQUENCES * 1_000,
}, async () => {
  const sandbox = createSandbox();
  let sequence = 0;
  let skillsSeen = 0;
  const sameAsFresh = fc.asyncProperty(aTree, someEdits, async (tree, edits) => {
    const world = sandbox.path(`world-${sequence++}`);
    mkdirSync(world);
    try {
      const options = optionsFor(world, now);
      const caching = createScanner(options);
      const cache = { folder: path.join(world, "cache"), version: "1.0.0", fewestFiles: 1 };
      for (const edit of tree) await applyEdit(world, edit, caching);
      for (const edit of edits) {
        await applyEdit(world, edit, caching);
        const seen = await seenBy(caching);
        expect(seen).toEqual(await seenBy(createScanner(options)));
        skillsSeen += seen.enabled.length;
        if (SEQUENCES <= 120 && edit !== edits.at(-1) && edit !== edits[0]) continue;
        // One that starts from what an earlier one saved; its second scan saves what it knows.
        const restarted = createScanner({ ...options, cache });
        expect(await seenBy(restarted)).toEqual(seen);
        expect(await seenBy(restarted)).toEqual(seen);
      }
    } finally {
      openAll(world);
      rmSync(world, { recursive: true });
    }
  });
  await fc.assert(sameAsFresh, { numRuns: SEQUENCES });
  // Trees in which nothing is found would prove nothing.
  expect(skillsSeen).toBeGreaterThan(SEQUENCES);
});
