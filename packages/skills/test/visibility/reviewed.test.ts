import { expect, test } from "vitest";
import { notApprovedRefusal } from "../../src/visibility/not-served.ts";
import { plain } from "../catalog/entries.ts";

test.each([
  ["block", "Skill 'pdf' is blocked by the rule github.com, trust.yaml:3."],
  [
    "review",
    "Skill 'pdf' is held back until somebody approves it (rule github.com, trust.yaml:3). To approve it, run: skills-mcp approve pdf.",
  ],
] as const)("a skill of level %s that nobody approved is refused: %s", (level, message) => {
  const refusal = notApprovedRefusal({
    key: "k",
    name: "pdf",
    names: ["pdf", "codex:pdf"],
    level,
    rule: "github.com, trust.yaml:3",
    candidate: { kind: "skill", skill: plain("codex", "pdf") },
    served: undefined,
  });
  expect(refusal).toMatchObject({ message, detail: { code: "held-skill", name: "pdf" } });
});
