import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { type FolderLayout, LIBRARY, listingOf, SKILL_FOLDERS } from "../../src/scan/listing.ts";

/** The listing of a folder with these entries: a name, ending in `/` for a folder and in `@` for a link. */
function listed(layout: FolderLayout, entries: readonly string[]) {
  const sandbox = createSandbox();
  mkdirSync(sandbox.path("folder"));
  for (const entry of entries) {
    const place = `folder/${entry.replace(/[/@]$/, "")}`;
    if (entry.endsWith("/")) mkdirSync(sandbox.path(place));
    else if (entry.endsWith("@")) symlinkSync("elsewhere", sandbox.path(place));
    else sandbox.write(place, "x");
  }
  return listingOf(readdirSync(sandbox.path("folder"), { withFileTypes: true }), layout);
}

test.each([
  [
    "skill files in any spelling, plain or linked",
    ["SKILL.md", "skill.md@", ".SKILL.md", "README.md"],
    {
      files: [
        { name: ".SKILL.md", isLink: false },
        { name: "SKILL.md", isLink: false },
        { name: "skill.md", isLink: true },
      ],
      folders: [],
      links: [],
      odd: [],
    },
  ],
  [
    "folders to enter and links to follow, but neither .git nor node_modules",
    ["a/", "b@", ".hidden/", ".git/", "node_modules@", "notes.txt"],
    { files: [], folders: [".hidden", "a"], links: ["b"], odd: [] },
  ],
  [
    "a folder called SKILL.md, which is odd and entered all the same",
    ["SKILL.md/"],
    { files: [], folders: ["SKILL.md"], links: [], odd: [["SKILL.md", "a folder"]] },
  ],
])("a folder of skills shows %s", (_what, entries, expected) => {
  expect(listed(SKILL_FOLDERS, entries)).toMatchObject({ ...expected, entries: entries.length });
});

test.each([
  [
    "a companion folder or link beside its file, which is not entered",
    ["a.md", "a/", "b.md", "b@", "c/"],
    {
      files: [
        { name: "a.md", isLink: false, companion: "folder" },
        { name: "b.md", isLink: false, companion: "link" },
      ],
      folders: ["c"],
      links: [],
      odd: [],
    },
  ],
  [
    "a companion without its file",
    ["_index/"],
    { files: [], folders: [], links: [], odd: [["_index", "lonely"]] },
  ],
  ["a folder with the name of a Markdown file", ["x.md/"], { files: [], folders: ["x.md"], odd: [] }],
])("a library folder shows %s", (_what, entries, expected) => {
  expect(listed(LIBRARY, entries)).toMatchObject(expected);
});
