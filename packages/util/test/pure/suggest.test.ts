import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { suggestNames } from "../../src/pure/suggest.ts";

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
    ["claude:office:pfd", "pdf"],
  ])("%s → %s", (typed, meant) => {
    expect(suggestNames(typed, NAMES)[0]).toBe(meant);
  });
});

describe("the better of two names comes first", () => {
  test.each([
    ["a typo before a shared beginning", "pdg", ["pdg-tools", "pdf"], ["pdf", "pdg-tools"]],
    ["a typo in a short name before one in a qualified name", "pfd", ["a:pdf", "pdf"], ["pdf", "a:pdf"]],
    ["the whole qualified name before its last part", "x:pdf", ["pdf", "x:pdf"], ["x:pdf", "pdf"]],
    ["a longer shared beginning", "kube", ["kubernetes-deploy", "kubectl"], ["kubectl", "kubernetes-deploy"]],
    ["a shared word before a shared beginning", "form", ["formats", "a-form"], ["a-form", "formats"]],
    ["more shared words", "git commit push", ["push-notify", "git-commit"], ["git-commit", "push-notify"]],
    [
      "half as many shared words after more",
      "git commit push",
      ["git-notes", "git-commit-push-all"],
      ["git-commit-push-all", "git-notes"],
    ],
    [
      "most of a longer name before two typos in seven letters",
      "compile",
      ["cxmpxle", "compilerset"],
      ["compilerset", "cxmpxle"],
    ],
    [
      "a typo in a long qualified name before its last part alone",
      `${"p".repeat(60)}:pdf`,
      ["pdf", `${"p".repeat(59)}q:pdf`],
      [`${"p".repeat(59)}q:pdf`, "pdf"],
    ],
    [
      "a typo in a very long name before the same name of a plugin",
      "p".repeat(120),
      [`x:${"p".repeat(120)}`, `${"p".repeat(119)}q`],
      [`${"p".repeat(119)}q`, `x:${"p".repeat(120)}`],
    ],
    ["names that are alike by their spelling", "pdx", ["pdz", "pda"], ["pda", "pdz"]],
  ])("%s", (_what, typed, names, ordered) => {
    expect(suggestNames(typed, names)).toEqual(ordered);
  });
});

describe("what only happens to share letters is not offered", () => {
  test.each([
    ["one letter is the beginning of too many names", "p", "postgres"],
    ["two letters inside a name", "gr", "postgres"],
    ["one typo too many for three letters", "pxx", "pdf"],
    ["two typos in five letters", "xxpha", "alpha"],
    ["three typos in eight letters", "xxxtgres", "postgres"],
    ["a shared word of one letter", "x kitchen", "x-ray"],
    ["a word with a typo in three letters", "pdx kitchen", "pdf-garage"],
    ["one of five words", "alpha bravo charlie delta echo", "echo-xray"],
    ["one of many words", "a pdf with many other words in it", "docx-with-a-long-name"],
    ["a typed name of more than 200 letters", "p".repeat(201), "p".repeat(200)],
    ["a known name of more than 200 letters", "p".repeat(200), "p".repeat(201)],
  ])("%s", (_what, typed, name) => {
    expect(suggestNames(typed, [name])).toEqual([]);
  });

  test.each([
    ["two letters at the beginning", "po", "postgres"],
    ["three letters inside", "tgr", "postgres"],
    ["one typo in three letters", "pxf", "pdf"],
    ["two typos in six letters", "xxmbda", "lambda"],
    ["two typos in eight letters", "xxstgres", "postgres"],
    ["a shared word of two letters", "ui kitchen", "ui-garage"],
    ["a word with a typo in four letters", "pdfx kitchen", "pdfs-garage"],
    ["one of four words", "alpha bravo charlie delta", "delta-xray"],
    ["a typo in the last part of a name with two colons", "pfd", "claude:office:pdf"],
    ["names of 200 letters", "p".repeat(200), `${"p".repeat(199)}q`],
  ])("but %s are", (_what, typed, name) => {
    expect(suggestNames(typed, [name])).toEqual([name]);
  });
});

test.each(["qqqqzzzz", "!!!", "", "   ", "🦄", "completely unrelated words"])(
  "nothing is offered for '%s'",
  (typed) => {
    expect(suggestNames(typed, NAMES)).toEqual([]);
  },
);

test("spaces around a typed name do not count", () => {
  expect(suggestNames("   x   ", ["x1"])).toEqual(["x1"]);
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
