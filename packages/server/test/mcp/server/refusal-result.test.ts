import { expect, test } from "vitest";
import { Refusal } from "#util/pure";
import { buildCatalog } from "../../../../skills/src/catalog/catalog.ts";
import { plain } from "../../../../skills/test/catalog/entries.ts";
import { refusalResult } from "../../../src/mcp/server/refusal-result.ts";

const MANY = buildCatalog(
  Array.from({ length: 60 }, (_, index) => ({
    ...plain("claude", `skill-${String(index).padStart(2, "0")}`),
    description: "bell \u0007 rings",
  })),
);

test.each([
  [["skill"], "a similar name is answered with suggestions"],
  [["skill", "skills.list", "skills.search"], "use skills.search to find them by words"],
  [["skill", "skills_list", "skills_search"], "use skills_search to find them by words"],
  [["skill", "find_skills"], "use find_skills to find the one for a task"],
])(
  "a name not found among very many, with the tools %j, leads to no tool that is not there",
  (offered, way) => {
    const refusal = new Refusal("Skill 'zzz' not found.", {
      code: "unknown-skill",
      name: "zzz",
      suggestions: [],
    });
    const { content, isError } = refusalResult(refusal, MANY, offered);
    expect(isError).toBe(true);
    const [first] = content;
    const text = first?.type === "text" ? first.text : "";
    expect(text).toContain(`- … and 10 more; ${way}\n`);
    expect(text).toContain("- skill-00: bell   rings\n");
  },
);
