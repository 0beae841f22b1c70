import { expect, test } from "vitest";
import { libraryFile } from "../../../../test/support/library-file.ts";
import { buildLibrary, EMPTY_LIBRARY } from "../../src/library/library.ts";
import { type CatalogChange, visibleChange } from "../../src/registry/snapshot.ts";
import type { Skill } from "../../src/skill/skill.ts";
import { catalogOf, fromPlugin, plain } from "./entries.ts";

const PDF = plain("claude", "pdf");
const GIT = plain("claude", "git");
const HIDDEN = plain("claude", "pdf", { location: "user" });

const CLONED = plain("git", "pdf", {
  location: "repo",
  dir: "/cache/1/pdf",
  repo: { url: "https://example.com/r.git", path: "pdf", commit: "1" },
});
const PLACE = { url: "https://example.com/r.git", path: "pdf", commit: "2" };

const CASES: readonly [string, Skill[], Skill[], CatalogChange | undefined][] = [
  ["nothing", [PDF, GIT], [PDF, GIT], undefined],
  ["nothing, between two empty catalogs", [], [], undefined],
  ["nothing when equal skills were read again", [PDF], [{ ...PDF }], undefined],
  ["nothing when the order of sightings differs", [PDF, GIT], [GIT, PDF], undefined],
  ["nothing when only a shadowed skill came", [PDF], [PDF, HIDDEN], undefined],
  ["a new skill", [PDF], [PDF, GIT], { added: 1, removed: 0, changed: 0 }],
  ["the first skill", [], [PDF], { added: 1, removed: 0, changed: 0 }],
  ["a skill that went", [PDF, GIT], [PDF], { added: 0, removed: 1, changed: 0 }],
  ["a new description", [PDF], [{ ...PDF, description: "New." }], { added: 0, removed: 0, changed: 1 }],
  ["a moved folder", [PDF], [{ ...PDF, dir: "/elsewhere" }], { added: 0, removed: 0, changed: 1 }],
  ["another location", [PDF], [{ ...PDF, location: "user" }], { added: 0, removed: 0, changed: 1 }],
  ["another provider", [PDF], [{ ...PDF, provider: "codex" }], { added: 0, removed: 0, changed: 1 }],
  [
    "a skill that is not for models any more",
    [PDF],
    [{ ...PDF, invocation: { model: false, user: true, because: [{ field: "disable-model-invocation" }] } }],
    { added: 0, removed: 0, changed: 1 },
  ],
  [
    "a new hint",
    [{ ...PDF, invocation: { model: true, user: true, because: [], argumentHint: "[a]" } }],
    [{ ...PDF, invocation: { model: true, user: true, because: [], argumentHint: "[b]" } }],
    { added: 0, removed: 0, changed: 1 },
  ],
  [
    "nothing when a field is on another line",
    [{ ...PDF, invocation: { model: false, user: true, because: [{ field: "x", line: 4 }] } }],
    [{ ...PDF, invocation: { model: false, user: true, because: [{ field: "x", line: 5 }] } }],
    undefined,
  ],
  [
    "nothing when a new commit of a repository lies in another folder",
    [CLONED],
    [{ ...CLONED, dir: "/cache/2/pdf", repo: PLACE }],
    undefined,
  ],
  [
    "another repository",
    [CLONED],
    [{ ...CLONED, repo: { ...PLACE, url: "https://example.com/other.git" } }],
    { added: 0, removed: 0, changed: 1 },
  ],
  [
    "another folder of the repository",
    [CLONED],
    [{ ...CLONED, repo: { ...PLACE, path: "skills/pdf" } }],
    { added: 0, removed: 0, changed: 1 },
  ],
  [
    "a folder in place of a repository",
    [CLONED],
    [plain("git", "pdf", { location: "repo", dir: "/elsewhere" })],
    { added: 0, removed: 0, changed: 1 },
  ],
  [
    "a repository in place of a folder",
    [plain("git", "pdf", { location: "repo", dir: "/elsewhere" })],
    [CLONED],
    { added: 0, removed: 0, changed: 1 },
  ],
  ["a rename", [PDF], [{ ...PDF, name: "pdf2" }], { added: 1, removed: 1, changed: 0 }],
  ["the shadowed skill of one that went", [PDF, HIDDEN], [HIDDEN], { added: 0, removed: 0, changed: 1 }],
  [
    "a skill that goes by a longer name because a twin came",
    [PDF],
    [PDF, plain("codex", "pdf")],
    { added: 2, removed: 1, changed: 0 },
  ],
  [
    "everything at once",
    [PDF, GIT],
    [{ ...PDF, description: "New." }, fromPlugin("office", "docx"), plain("agents", "new")],
    { added: 2, removed: 1, changed: 1 },
  ],
];

test.each(CASES)("a client sees %s", (_, before, after, change) => {
  const look = (skills: Skill[]) => ({
    catalog: catalogOf(...skills),
    library: EMPTY_LIBRARY,
    hasFiles: false,
  });
  expect(visibleChange(look(before), look(after))).toEqual(change);
});

test("visible change: a snapshot does not differ from itself", () => {
  const look = { catalog: catalogOf(PDF), library: EMPTY_LIBRARY, hasFiles: false };
  expect(visibleChange(look, look)).toBeUndefined();
});

test("a client sees library skills that came, went and changed", () => {
  const catalog = catalogOf(PDF);
  const library = (files: Readonly<Record<string, string>>) =>
    buildLibrary([
      {
        prefix: "",
        files: Object.entries(files).map(([filePath, description]) => libraryFile(filePath, { description })),
      },
    ]);
  const look = (files: Readonly<Record<string, string>>) => ({
    catalog,
    library: library(files),
    hasFiles: false,
  });
  const before = look({ "a.md": "A.", "b.md": "B." });
  const after = look({ "b.md": "New.", "c.md": "C.", "d.md": "D." });
  expect(visibleChange(before, after)).toEqual({ added: 2, removed: 1, changed: 1 });
  expect(visibleChange(before, look({ "a.md": "A.", "b.md": "B." }))).toBeUndefined();
});

test("a client sees the first file of any skill, and that the last one went", () => {
  const look = (hasFiles: boolean) => ({ catalog: catalogOf(PDF), library: EMPTY_LIBRARY, hasFiles });
  const changed = { added: 0, removed: 0, changed: 1 };
  expect(visibleChange(look(false), look(true))).toEqual(changed);
  expect(visibleChange(look(true), look(false))).toEqual(changed);
  const more = { ...look(true), catalog: catalogOf(PDF, GIT) };
  expect(visibleChange(look(false), more)).toEqual({ added: 1, removed: 0, changed: 0 });
});
