import { expect, test } from "vitest";
import { libraryFile } from "../../../library/test/matching/library-file.ts";
import { notApprovedRefusal, reviewedNames } from "../../src/visibility/reviewed.ts";
import { fromPlugin, plain } from "../catalog/entries.ts";

test.each([
  ["a plain skill", plain("codex", "pdf"), ["pdf", "codex:pdf"]],
  [
    "a plugin's skill",
    fromPlugin("office", "pdf"),
    ["office:pdf", "claude:office:pdf", "claude:office@market:pdf"],
  ],
  [
    "a skill of a plugin without a marketplace",
    fromPlugin("office", "pdf", { plugin: { name: "office" } }),
    ["office:pdf", "claude:office:pdf"],
  ],
])("%s may be called each of its names once, shortest first", (_, skill, names) => {
  expect(reviewedNames({ kind: "skill", skill })).toEqual(names);
});

test("a library skill goes by its path alone", () => {
  const file = libraryFile("ui/auth.md");
  expect(reviewedNames({ kind: "library", file, path: "web/ui/auth" })).toEqual(["web/ui/auth"]);
});

test.each([
  ["block", "Skill 'pdf' is blocked by the rule github.com, trust.yaml:3."],
  [
    "review",
    "Skill 'pdf' is held back until somebody approves it (rule github.com, trust.yaml:3). To approve it, run: skills-mcp approve pdf.",
  ],
] as const)("who asks for a skill of level %s is told: %s", (level, message) => {
  const refusal = notApprovedRefusal({
    key: "k",
    name: "pdf",
    level,
    rule: "github.com, trust.yaml:3",
    candidate: { kind: "skill", skill: plain("codex", "pdf") },
    served: undefined,
  });
  expect(refusal).toMatchObject({ message, detail: { code: "held-skill", name: "pdf" } });
});
