import { describe, expect, test } from "vitest";
import { isAtLeast, type Severity, worstSeverity } from "#skills";
import { BAD_SETS, readBadSkills, readPublicList } from "../../bench/corpus.ts";
import { ALL_RULES } from "../../src/audit/rules/all-rules.ts";
import { auditContent } from "../../src/audit-skills/audit-skill.ts";

describe("bad skills in the manner of real incidents", () => {
  test("there are 150 in two halves and later ones, each with a name of its own", () => {
    const names = BAD_SETS.flatMap((set) => readBadSkills(set).map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
    expect(readBadSkills("set-aside")).toHaveLength(75);
    expect(names.length).toBeGreaterThanOrEqual(190);
  });

  test.each([
    ["shown", "medium", 0.95],
    ["shown", "high", 0.85],
    ["set-aside", "medium", 0.85],
    ["set-aside", "high", 0.7],
  ] as const)("%s: at %s or above a share of %d", (set, least: Severity, share) => {
    const skills = readBadSkills(set);
    const missed = skills.filter(({ name, content }) => {
      const worst = worstSeverity(auditContent(content, { name }));
      return worst === undefined || !isAtLeast(worst, least);
    });
    expect(missed.length, missed.map(({ name }) => name).join(", ")).toBeLessThanOrEqual(
      skills.length * (1 - share),
    );
  });
});

test("public skills: the list names more than 1,000 by repository and commit, with known rules", () => {
  const repos = readPublicList();
  expect(repos.reduce((sum, { skills }) => sum + skills, 0)).toBeGreaterThan(1_000);
  const rules = new Set(ALL_RULES.map(({ id }) => id));
  for (const { repo, commit, judged } of repos) {
    expect(repo).toMatch(/^[\w.-]+\/[\w.-]+$/);
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
    for (const key of judged.keys())
      expect(rules).toContain(/ (?:medium|high|critical):([\w-]+)$/.exec(key)?.[1]);
  }
});
