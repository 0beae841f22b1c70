import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolveName } from "../../src/catalog/resolve-name.ts";
import { suggestNames } from "../../src/catalog/suggest.ts";
import { catalogOf, fromPlugin, plain } from "./entries.ts";
import { refusalOf } from "./refused.ts";

const NAMES = [
  "docx",
  "example-skills:pptx",
  "git-commit",
  "kubernetes-deploy",
  "pdf",
  "postgres",
  "skill-creator",
  "xlsx",
];

describe("someone who mistyped is offered the name they meant", () => {
  test.each([
    ["xlxs", "xlsx"],
    ["XLXS", "xlsx"],
    ["postgress", "postgres"],
    ["pfd", "pdf"],
    ["pdff", "pdf"],
    ["kube", "kubernetes-deploy"],
    ["deploy kubernetes", "kubernetes-deploy"],
    ["commit", "git-commit"],
    ["git_commit", "git-commit"],
    ["creator skill", "skill-creator"],
    ["pptx", "example-skills:pptx"],
    ["pttx", "example-skills:pptx"],
    ["example-skills:pptxs", "example-skills:pptx"],
    ["other-skills:pptx", "example-skills:pptx"],
    ["claude:pfd", "pdf"],
    ["anthropic:xlsx", "xlsx"],
  ])("%s → %s", (typed, meant) => {
    expect(suggestNames(typed, NAMES)[0]).toBe(meant);
  });
});

test.each(["qqqqzzzz", "!!!", "", "   ", "🦄", "completely unrelated words"])(
  "nothing is offered for '%s'",
  (typed) => {
    expect(suggestNames(typed, NAMES)).toEqual([]);
  },
);

test("N5: loading xlxs with xlsx present suggests xlsx", () => {
  const catalog = catalogOf(plain("claude", "xlsx"), plain("claude", "pdf"), fromPlugin("office", "docx"));
  expect(refusalOf(() => resolveName(catalog, "xlxs"))).toMatchObject({
    detail: { code: "unknown-skill", name: "xlxs", suggestions: ["xlsx"] },
  });
});

test("at most three names are offered unless more are asked for", () => {
  const names = ["pdf-a", "pdf-b", "pdf-c", "pdf-d", "pdf-e"];
  expect(suggestNames("pdf", names)).toEqual(["pdf-a", "pdf-b", "pdf-c"]);
  expect(suggestNames("pdf", names, 5)).toEqual(names);
});

test("suggestions do not depend on the order of the names", () => {
  const names = [...NAMES, "pdx", "pdb", "pda", "docs"];
  const shuffled = fc.shuffledSubarray(names, { minLength: names.length });
  fc.assert(
    fc.property(shuffled, fc.constantFrom("pd", "skill", "git", "doc"), (inAnyOrder, typed) => {
      expect(suggestNames(typed, inAnyOrder)).toEqual(suggestNames(typed, names));
    }),
  );
});

test("only names that exist are offered, each once, whatever is typed", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (typed) => {
      const offered = suggestNames(typed, NAMES);
      expect(new Set(offered).size).toBe(offered.length);
      for (const name of offered) expect(NAMES).toContain(name);
    }),
  );
});

test("a hundred thousand names are searched", () => {
  const names = Array.from({ length: 100_000 }, (_, index) => `skill-number-${index}`);
  expect(suggestNames("postgress", [...names, "postgres"])).toEqual(["postgres"]);
});
