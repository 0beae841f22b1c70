import { expect, test } from "vitest";
import type { LibraryFile, Skill } from "#skills";
import { candidateNames } from "../src/review-scan.ts";

const SKILL: Skill = {
  name: "pdf",
  description: "Does pdf.",
  provider: "claude",
  location: "user",
  dir: "/pdf",
  fileName: "SKILL.md",
  realDir: "/pdf",
};

test.each([
  ["a plain skill", SKILL, ["pdf", "claude:pdf"]],
  [
    "a plugin's skill",
    { ...SKILL, plugin: { name: "office", marketplace: "market" } },
    ["office:pdf", "claude:office:pdf", "claude:office@market:pdf"],
  ],
  [
    "a skill of a plugin without a marketplace",
    { ...SKILL, plugin: { name: "office" } },
    ["office:pdf", "claude:office:pdf"],
  ],
])("%s may be called each of its names once, shortest first", (_, skill, names) => {
  expect(candidateNames({ kind: "skill", skill })).toEqual(names);
});

test("a library skill goes by its path alone", () => {
  const file: LibraryFile = {
    filePath: "ui/auth.md",
    file: "/ui/auth.md",
    realFile: "/ui/auth.md",
    root: "/",
    location: "user",
    resourceDir: undefined,
    description: "",
    keywords: [],
    priority: 0,
    inherit: true,
    assets: [],
    scripts: [],
  };
  expect(candidateNames({ kind: "library", file, path: "web/ui/auth" })).toEqual(["web/ui/auth"]);
});
