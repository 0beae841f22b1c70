import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { estimateTokens, type Skill } from "#skills";
import { buildCatalog } from "../../../../skills/src/catalog/catalog.ts";
import { describeCost } from "../../../src/http/api/describe-cost.ts";

function catalogOf(descriptions: readonly string[]) {
  return buildCatalog(
    descriptions.map((description, index): Skill => {
      const dir = `/shop/.claude/skills/skill-${String(index).padStart(3, "0")}`;
      const name = dir.slice(dir.lastIndexOf("/") + 1);
      return {
        name,
        description,
        provider: "claude",
        location: "project",
        dir,
        fileName: "SKILL.md",
        realDir: dir,
      };
    }),
  );
}

const FORMATS = ["xml", "list"] as const;

describe.each(FORMATS)("the description as %s", (format) => {
  test("within a large budget is whole, and each skill is shown in full", () => {
    const answer = describeCost(catalogOf(["One.", "- Two <skill>", "Three\nlines"]), {
      client: "other",
      format,
      budget: undefined,
    });
    expect(answer).toMatchObject({ complete: true, skills: 3, shown: 3, usualBudget: 20_000 });
    for (const { characters, shown } of answer.costs) expect(shown).toBe(characters);
  });

  test("never goes over its budget, and never counts more skills than it names", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 60 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 4000 }),
        (descriptions, budget) => {
          const answer = describeCost(catalogOf(descriptions), { client: "x", format, budget });
          expect(answer.characters).toBeLessThanOrEqual(budget);
          const named = descriptions.filter((_, index) =>
            answer.text.includes(`skill-${String(index).padStart(3, "0")}`),
          );
          expect(answer.shown).toBe(named.length);
          expect(answer.shown === answer.skills || !answer.complete).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});

test("Claude Code gets the budget that it cuts at", () => {
  const wanted = { client: "claude-code", format: "xml", budget: undefined } as const;
  expect(describeCost(catalogOf([]), wanted)).toMatchObject({ budget: 1_950, shown: 0, skills: 0 });
});

test.each([
  ["", 0],
  ["abcd", 1],
  ["abcde", 2],
  ["日本語", 2],
  ["日本語のテキスト", 6],
])("about as many tokens as a model counts: %j", (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});
