import { expect, test } from "vitest";
import { traitsOf } from "#agents";
import type { Entry } from "../../src/catalog/catalog.ts";
import { planRoots, type Root } from "../../src/roots/roots.ts";
import type { Location, Skill } from "../../src/skill/skill.ts";
import { type ListedSkills, listedSkills } from "../../src/visibility/listed-skills.ts";
import { notServedAs } from "../../src/visibility/not-served.ts";
import { catalogOf } from "../catalog/entries.ts";

const ROOTS: readonly Root[] = planRoots({
  cwd: "/repo/app",
  projects: ["/repo/app", "/repo"],
  home: "/home/me",
  moved: { ".codex": "/moved/codex" },
  skillDirs: ["/named"],
  defaultDirs: true,
});
const EVERYWHERE: readonly Location[] = ["project", "user", "plugin"];

/** One skill in each root, called like the root. */
function skillIn({ dir, provider, location }: Root): Skill {
  const folder = `${dir}/one`;
  return {
    name: dir,
    description: "One.",
    provider,
    location,
    dir: folder,
    fileName: "SKILL.md",
    realDir: folder,
  };
}

const ALL = catalogOf(...ROOTS.map(skillIn));
const nativeIn = ({ notListed }: ListedSkills): readonly Entry[] =>
  notServedAs(notListed, "native").map(({ entry }) => entry);
const names = (entries: readonly Entry[]): readonly string[] =>
  entries.map(({ skill }) => skill.name).toSorted();

test.each<[client: string, native: readonly string[]]>([
  ["claude-code", ["/home/me/.claude/skills", "/repo/.claude/skills", "/repo/app/.claude/skills"]],
  [
    "codex-mcp-client",
    [
      "/home/me/.agents/skills",
      "/moved/codex/skills",
      "/repo/.agents/skills",
      "/repo/.codex/skills",
      "/repo/app/.agents/skills",
      "/repo/app/.codex/skills",
    ],
  ],
  [
    "gemini-cli-mcp-client",
    [
      "/home/me/.agents/skills",
      "/home/me/.gemini/skills",
      "/repo/app/.agents/skills",
      "/repo/app/.gemini/skills",
    ],
  ],
  [
    "copilot-cli",
    [
      "/home/me/.agents/skills",
      "/home/me/.copilot/skills",
      "/repo/app/.agents/skills",
      "/repo/app/.claude/skills",
      "/repo/app/.github/skills",
    ],
  ],
  ["nanocoder-mcp-client", []],
  ["somebody", []],
])("%s has the skills of %j already", (name, expected) => {
  const { listed, notListed } = listedSkills({ catalog: ALL, roots: ROOTS }, traitsOf({ name }), EVERYWHERE);
  expect(names(nativeIn({ listed, notListed }))).toEqual(expected);
  expect(listed.length + notListed.length).toBe(ALL.entries.length);
});

test("where a client has other folders than the server, its skills are listed", () => {
  const traits = traitsOf({ name: "claude-code" });
  const nativeAt = (leaveOut: readonly Location[]) =>
    names(nativeIn(listedSkills({ catalog: ALL, roots: ROOTS }, traits, leaveOut)));
  expect(nativeAt([])).toEqual([]);
  expect(nativeAt(["user", "plugin"])).toEqual(["/home/me/.claude/skills"]);
});

test("a skill that is linked into a folder of the client is native; one that was named is not", () => {
  const traits = traitsOf({ name: "claude-code" });
  const [own, linked] = [
    skillIn({ dir: "/home/me/.agents/skills", provider: "agents", location: "user", named: false }),
    skillIn({ dir: "/home/me/.claude/skills", provider: "claude", location: "user", named: false }),
  ];
  const both = catalogOf(own, { ...linked, name: own.name, realDir: own.realDir });
  expect(nativeIn(listedSkills({ catalog: both, roots: ROOTS }, traits, EVERYWHERE))).toHaveLength(1);
  const named = catalogOf({ ...linked, provider: "file" });
  expect(nativeIn(listedSkills({ catalog: named, roots: ROOTS }, traits, EVERYWHERE))).toEqual([]);
});
