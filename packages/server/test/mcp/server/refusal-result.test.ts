import { expect, test } from "vitest";
import { Refusal } from "#util/pure";
import { listedCatalog, plain } from "../../../../../test/support/skills.ts";
import { refusalResult } from "../../../src/mcp/server/refusal-result.ts";

const MANY = listedCatalog(
  Array.from({ length: 60 }, (_, index) => ({
    ...plain("claude", `skill-${String(index).padStart(2, "0")}`),
    description: "bell \u0007 rings",
  })),
);

const REFUSAL = new Refusal("Skill 'zzz' not found.", {
  code: "unknown-skill",
  name: "zzz",
  suggestions: [],
});

function textFor(client: Parameters<typeof refusalResult>[1]): string {
  const { content, isError } = refusalResult(REFUSAL, client);
  expect(isError).toBe(true);
  const [first] = content;
  return first?.type === "text" ? first.text : "";
}

test.each([
  [["skill", "skills.list", "skills.search"], "use skills.search to find them by words"],
  [["skill", "skills_list", "skills_search"], "use skills_search to find them by words"],
  [["skill", "find_skills"], "use find_skills to find the one for a task"],
])("a name not found among very many, with the tools %j, leads to a tool that is there", (tools, way) => {
  const text = textFor({ catalog: MANY, tools });
  expect(text).toContain(`- … and 10 more; ${way}\n`);
  expect(text).toContain("- skill-00: bell   rings\n");
});

test("a name not found among very many, without a tool that searches, lists every name", () => {
  const text = textFor({ catalog: MANY, tools: ["skill"] });
  expect(text).toContain("- skill-00: bell   rings\n");
  expect(text).toContain("- skill-50\n- skill-51\n");
  expect(text).toContain("- skill-59\n\nUse the exact");
});

test.each([
  { count: 1_300, unit: "characters" },
  { count: 1_300, unit: "bytes" },
  { count: 1_300, unit: "json" },
] as const)("a name not found stays within the answers of a client that cuts them at %j", (answerLimit) => {
  const text = textFor({ catalog: MANY, tools: ["skill"], answerLimit });
  expect(text.length).toBeLessThanOrEqual(answerLimit.count);
  expect(text).toMatch(/- skill-2\d\n- … and \d\d more; a similar name is answered with suggestions\n/);
});
