import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { LIBRARY, SKILL_FOLDERS } from "../../src/registry/roots/layouts.ts";
import { newFolder } from "../../src/registry/scan/folder-tree.ts";
import { type FolderLook, lookInSteps, lookNow } from "../../src/registry/scan/look-at-folder.ts";
import { createScanner } from "../../src/registry/scan/scan.ts";
import { monotonicMs } from "../../src/system/clock.ts";
import { createPace } from "../../src/system/time-slice.ts";
import { createSandbox, type Sandbox, skillText } from "../support/sandbox.ts";

/** More than are listed at once, and more than a step of anything else. */
const MANY = 1_100;
const NOW = Date.UTC(2100, 0);

function withManySkills(): Sandbox {
  const sandbox = createSandbox();
  for (let index = 0; index < MANY; index++)
    sandbox.write(`skills/skill-${index}/SKILL.md`, skillText(`skill-${index}`, `Does thing ${index}.`));
  sandbox.write("skills/SKILL.md", skillText("all", "Does all things."));
  sandbox.write("skills/notes.md", "x");
  sandbox.write("skills/notes/x.txt", "x");
  symlinkSync(sandbox.path("skills/skill-1"), sandbox.path("skills/linked"));
  return sandbox;
}

test.each([
  ["skills", SKILL_FOLDERS],
  ["a library", LIBRARY],
])("a folder of %s is seen in steps as it is seen at once", async (_what, layout) => {
  const sandbox = withManySkills();
  const look: FolderLook = { layout, now: () => NOW, remember: true, onListing: () => {} };
  const dir = sandbox.path("skills");
  const [atOnce, inSteps] = [newFolder(dir, dir, 0), newFolder(dir, dir, 0)];
  const pace = createPace(monotonicMs);
  const lookTwice = async (): Promise<readonly boolean[]> => [
    lookNow(atOnce, look),
    await lookInSteps(inSteps, look, pace),
  ];

  expect(await lookTwice()).toEqual([true, true]);
  expect(inSteps).toEqual(atOnce);
  expect(inSteps.listing.entries).toBe(MANY + 4);
  // Nothing differs, and what differs later leaves the rest the very same.
  expect(await lookTwice()).toEqual([false, false]);
  const [, second] = inSteps.children;
  mkdirSync(sandbox.path("skills/a-new-one"));
  rmSync(sandbox.path("skills/skill-7"), { recursive: true });
  expect(await lookTwice()).toEqual([true, true]);
  expect(inSteps).toEqual(atOnce);
  if (layout === SKILL_FOLDERS) expect(inSteps.children).toContain(second);
  // Gone: it is empty, and nothing is wrong with that.
  renameSync(dir, sandbox.path("elsewhere"));
  expect(await lookTwice()).toEqual([true, true]);
  expect(inSteps).toEqual(atOnce);
  expect(inSteps.listing.entries).toBe(0);
});

test("a root with a great many skills is served whole, and followed", async () => {
  const sandbox = withManySkills();
  const dir = sandbox.path("skills");
  const scan = createScanner({
    roots: [{ dir, provider: "file", location: "project", named: true }],
    strict: false,
    now: Date.now,
  });
  const names = async (): Promise<readonly string[]> => (await scan()).enabled.map(({ name }) => name);
  const all = [...Array.from({ length: MANY }, (_, index) => `skill-${index}`), "all"];
  expect((await names()).toSorted()).toEqual(all.toSorted());
  sandbox.write("skills/later/SKILL.md", skillText("later", "Comes later."));
  rmSync(sandbox.path("skills/skill-3"), { recursive: true });
  const after = [...all.filter((name) => name !== "skill-3"), "later"];
  expect((await names()).toSorted()).toEqual(after.toSorted());
});
