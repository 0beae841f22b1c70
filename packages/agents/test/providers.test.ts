import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { PROVIDERS, SKILL_FOLDERS } from "../src/folders.ts";

interface SkillsPackage {
  readonly version: string;
  /** The folder in a project, and the user's own; null where an agent has none. */
  readonly agents: Readonly<Record<string, readonly [project: string, user: string | null]>>;
}

const FIXTURE = path.join(path.dirname(fileURLToPath(import.meta.url)), "skills-package.json");
const published = JSON.parse(readFileSync(FIXTURE, "utf8")) as SkillsPackage;

/** Folders that are not searched, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  skills: "any project may have a folder of this name that no agent reads; --root ./skills names it",
  "data/skills": "any project may have a folder of this name that no agent reads",
  "agent/skills": "any project may have a folder of this name that no agent reads",
};

describe("folders of skills", () => {
  const project = new Set(SKILL_FOLDERS.flatMap((agent) => agent.project));
  const user = new Set(SKILL_FOLDERS.flatMap((agent) => agent.user.map((folder) => `~/${folder}`)));

  test.each(Object.entries(published.agents))(
    `searched: what the npm package skills ${published.version} writes to for %s`,
    (_agent, [inProject, ofUser]) => {
      expect(project.has(inProject) || inProject in EXCEPTIONS).toBe(true);
      if (ofUser !== null) expect([...user]).toContain(ofUser);
    },
  );

  test("exceptions: each one is needed", () => {
    const folders = Object.values(published.agents).map(([inProject]) => inProject);
    for (const folder of Object.keys(EXCEPTIONS)) {
      expect(folders).toContain(folder);
      expect(project.has(folder)).toBe(false);
    }
  });

  test("each agent is one provider, and no folder belongs to two", () => {
    expect(PROVIDERS.size).toBe(SKILL_FOLDERS.length + 4);
    for (const kind of ["project", "user"] as const) {
      const folders = SKILL_FOLDERS.flatMap((agent) => agent[kind]);
      expect(new Set(folders).size).toBe(folders.length);
    }
  });

  test("folders of a project begin with a dot, so that no project has one by accident", () => {
    expect([...project].filter((folder) => !folder.startsWith("."))).toEqual([]);
  });
});
