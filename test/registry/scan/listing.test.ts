import { type Dirent, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { runToEnd } from "../../../src/catalog/steps.ts";
import { LIBRARY, SKILL_FOLDERS } from "../../../src/registry/roots/layouts.ts";
import { listingOf, listingSteps } from "../../../src/registry/scan/listing.ts";
import { createSandbox } from "../../support/sandbox.ts";

/** One entry of each kind under each name, as the disk shows them. */
function everyEntry(): readonly Dirent[] {
  const names = [
    "SKILL.md",
    "skill.md",
    ".SKILL.md",
    "a.md",
    "a",
    ".git",
    "node_modules",
    ".hidden",
    "b",
    "_index",
    "_index.md",
  ];
  const sandbox = createSandbox();
  return ["file", "folder", "link"].flatMap((kind) => {
    mkdirSync(sandbox.path(kind));
    for (const name of names) {
      const place = `${kind}/${name}`;
      if (kind === "file") sandbox.write(place, "x");
      else if (kind === "folder") mkdirSync(sandbox.path(place));
      else symlinkSync("elsewhere", sandbox.path(place));
    }
    return readdirSync(sandbox.path(kind), { withFileTypes: true });
  });
}

test.each([
  ["skills", SKILL_FOLDERS],
  ["a library", LIBRARY],
])("a folder of %s is listed the same in one go and in steps, whatever lies in it", (_what, layout) => {
  const entries = fc.uniqueArray(fc.constantFrom(...everyEntry()), {
    selector: ({ name }) => name,
    maxLength: 6,
  });
  fc.assert(
    fc.property(entries, (some) => {
      const sorted = some.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      expect(listingOf(sorted, layout)).toEqual(runToEnd(listingSteps(some, layout)));
    }),
    { numRuns: 2_000 },
  );
});
