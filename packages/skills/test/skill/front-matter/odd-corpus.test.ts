import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseSkill } from "../../../src/skill/parse-skill.ts";

// Front matters of public skills that YAML rejects, kept beside the project and never in it.
const CORPUS = new URL("../../../../../../shared/corpora/odd-frontmatter.jsonl", import.meta.url);

interface OddCase {
  readonly text: string;
  readonly name: string;
  readonly description_starts: string;
}

describe("front matter that real authors wrote and YAML rejects", () => {
  test("odd front matter is read as a person reads it in at least 95 of 100 files", (context) => {
    context.skip(!existsSync(CORPUS), "the corpus ../shared/corpora/odd-frontmatter.jsonl is not here");
    const cases = readFileSync(CORPUS, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as OddCase);
    const read = cases.filter((odd) => {
      const result = parseSkill(odd.text);
      if (!result.ok || result.skill.name !== odd.name) return false;
      return result.skill.description.startsWith(odd.description_starts);
    });
    // oxlint-disable-next-line no-console -- the count is the measure that this corpus is for
    console.log(`odd front matter: ${read.length} of ${cases.length} read`);
    expect(read.length / cases.length).toBeGreaterThanOrEqual(0.95);
  });
});
