import { describe, expect, test } from "vitest";
import { nameKey } from "#util/pure";
import { type Filter, passesFilter } from "../../src/catalog/filter.ts";
import { fromPlugin, plain } from "./entries.ts";

const ALL: Filter = { include: [], exclude: [] };

const fromRepository = (url: string) =>
  plain("git", "pdf", { location: "repo", repo: { url, path: "pdf", commit: "abc" } });

describe("of what comes from repositories, only what comes from a named one passes", () => {
  const url = "https://github.com/Acme/Skills.git";
  test.each<[readonly string[], string, boolean]>([
    [["https://github.com/Acme/Skills.git"], url, true],
    [["https://github.com/acme/skills"], url, true],
    [["git@github.com:acme/skills.git"], url, true],
    [["ssh://git@github.com/acme/skills"], url, true],
    [["github.com/acme/skills"], url, true],
    [["github.com/acme/skills/"], url, true],
    [["  acme/skills  "], url, true],
    [["acme/skills"], "git@github.com:acme/skills", true],
    [["acme/skills"], "https://me@github.com/acme/skills//", true],
    [["skills"], url, true],
    [["acme/*"], url, true],
    [["acme/skill?"], url, true],
    [["other/skills", "acme/skills"], url, true],
    [["other/skills"], url, false],
    [["acme"], url, false],
    [["kills"], url, false],
    [["gitlab.com/acme/skills"], url, false],
    [["example.com:22/acme/skills"], "ssh://git@example.com:22/acme/skills.git", true],
    [["example.com/22/acme/skills"], "ssh://git@example.com:22/acme/skills.git", false],
    [[], url, false],
  ])("%j and %s: %s", (repositories, from, passes) => {
    expect(passesFilter({ ...ALL, repositories }, fromRepository(from))).toBe(passes);
  });

  test("and a skill of a folder passes", () => {
    expect(passesFilter({ ...ALL, repositories: ["acme/skills"] }, plain("claude", "pdf"))).toBe(true);
  });
});

test("without a list of repositories, all of them pass", () => {
  expect(passesFilter(ALL, fromRepository("https://example.com/any"))).toBe(true);
});

test("filter: a skill does not pass if its full name is in `without`; its namesakes do", () => {
  const without = new Set([nameKey("claude:office@market:PDF")]);
  const passes = (skill: Parameters<typeof passesFilter>[1]) => passesFilter({ ...ALL, without }, skill);
  expect(passes(fromPlugin("office", "pdf"))).toBe(false);
  expect(passes(fromPlugin("other", "pdf"))).toBe(true);
  expect(passes(plain("claude", "pdf"))).toBe(true);
});

test("a skill passes only if it passes every other filter too", () => {
  const only = (glob: string): Filter => ({ include: [{ kind: "name", glob }], exclude: [] });
  const passes = (...and: readonly Filter[]) => passesFilter({ ...ALL, and }, plain("claude", "pdf"));
  expect(passes()).toBe(true);
  expect(passes(only("p*"), only("*f"))).toBe(true);
  expect(passes(only("p*"), only("git"))).toBe(false);
});
