import { describe, expect, test } from "vitest";
import { projectOverrides } from "../../src/registry/snapshot.ts";
import type { Skill } from "../../src/skill/skill.ts";
import { catalogOf, fromPlugin, plain } from "./entries.ts";

const mine = (provider: string, name = "pdf"): Skill => plain(provider, name, { location: "user" });
const theirs = (provider: string, name = "pdf"): Skill => plain(provider, name);

/** Whose place is taken, and the name that still loads it. */
const taken = (...skills: readonly Skill[]) =>
  projectOverrides(catalogOf(...skills)).map(({ by, skill, stillAs }) => [by.skill.dir, skill.dir, stillAs]);

describe("a project skill that takes a user skill's place is named", () => {
  test.each<[string, readonly Skill[], string | undefined]>([
    ["with the same identity", [theirs("claude"), mine("claude")], undefined],
    ["in another case", [theirs("claude", "PDF"), mine("claude")], undefined],
    ["by the short name alone", [theirs("agents"), mine("codex")], "codex:pdf"],
    ["of a repository", [theirs("agents"), plain("git", "pdf", { location: "repo" })], "git:pdf"],
  ])("%s", (_, [project, user], stillAs) => {
    if (project === undefined || user === undefined) throw new Error("two skills");
    expect(taken(project, user)).toEqual([[project.dir, user.dir, stillAs]]);
  });

  test("once for each, also where it takes the place of several", () => {
    expect(taken(theirs("agents"), mine("agents"), mine("claude"))).toEqual([
      ["/project/.agents/skills/pdf", "/user/.agents/skills/pdf", undefined],
      ["/project/.agents/skills/pdf", "/user/.claude/skills/pdf", "claude:pdf"],
    ]);
  });
});

test.each<[string, readonly Skill[]]>([
  ["other names", [theirs("claude", "docx"), mine("claude")]],
  ["a user skill that comes first", [mine("agents"), theirs("claude")]],
  ["a name that is ambiguous, with the project or without", [theirs("claude"), mine("codex")]],
  ["a name that was ambiguous before", [theirs("agents"), mine("codex"), mine("claude")]],
  ["two skills of the project", [theirs("agents"), theirs("claude")]],
  ["two skills of the user with one identity", [mine("claude"), { ...mine("claude"), realDir: "/other" }]],
  ["two skills of the user", [mine("agents"), mine("claude")]],
  ["a folder that the user named", [plain("file", "pdf"), mine("claude")]],
  ["a plugin's skill, which goes by its full name", [theirs("agents"), fromPlugin("office", "pdf")]],
  ["the same folder, linked", [theirs("claude"), { ...mine("claude"), realDir: theirs("claude").realDir }]],
])("nobody's place is taken: %s", (_, skills) => {
  expect(taken(...skills)).toEqual([]);
});
