import { describe, expect, test } from "vitest";
import type { Finding } from "#skills";
import { allFindings, countFindings } from "../../src/health/all-findings.ts";

const CALM = { diagnostics: [], git: [], sandbox: "off" } as const;
const filed = (finding: Finding) =>
  allFindings({ health: CALM, files: [{ file: "/a/SKILL.md", name: "a", findings: [finding] }] })[0];

describe("the one list of findings", () => {
  test("is empty when all is well", () => {
    expect(allFindings({ health: CALM, files: [] })).toEqual([]);
  });

  test.each([
    [{ severity: "error", rule: "r", message: "m" }, "warning", "validate"],
    [{ severity: "advice", rule: "r", message: "m" }, "advice", "validate"],
    [{ severity: "error", rule: "r", message: "m", risk: "critical" }, "error", "audit"],
    [{ severity: "error", rule: "r", message: "m", risk: "high" }, "error", "audit"],
    [{ severity: "advice", rule: "r", message: "m", risk: "medium" }, "warning", "audit"],
    [{ severity: "advice", rule: "r", message: "m", risk: "low" }, "advice", "audit"],
  ] as const)("judges a finding by what it means for agents: %j", (finding, severity, check) => {
    expect(filed(finding)).toMatchObject({ severity, check, file: "/a/SKILL.md", name: "a" });
  });

  test("joins every check, the worst first, and counts what it lists", () => {
    const list = allFindings({
      health: {
        diagnostics: [
          { severity: "warning", code: "hidden-characters", file: "/b/SKILL.md", line: 3, message: "m" },
          { severity: "error", code: "no-front-matter", file: "/c/SKILL.md", message: "m" },
        ],
        git: [
          {
            ...{ name: "team", url: "https://x.test/team", branch: "main" },
            ...{ commit: undefined, lastSync: undefined, syncing: false, findings: [] },
            failure: { code: "bug", message: "It does not answer.", since: "2026-11-01" },
          },
        ],
        sandbox: { kind: "none", reason: "no bwrap", way: "", runs: false, warning: "Scripts are refused." },
      },
      files: [{ file: "/a/SKILL.md", findings: [{ severity: "advice", rule: "r", message: "m" }] }],
      wrongSettings: [{ place: "SKILLS_REPO", message: "It is not an address." }],
    });
    expect(list.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual([
      "error settings",
      "error no-front-matter",
      "error repository-failing",
      "warning hidden-characters",
      "warning no-sandbox",
      "advice r",
    ]);
    expect(countFindings(list)).toEqual({ error: 3, warning: 2, advice: 1 });
  });
});
