import { describe, expect, test } from "vitest";
import { aggregateContent, chainOf } from "../../src/matching/inheritance.ts";
import { libraryOf, librarySkill } from "./library-skills.ts";

const root = librarySkill("_root");
const ui = librarySkill("ui/_index", { parent: "_root" });
const react = librarySkill("ui/react/_index", { parent: "ui/_index" });
const auth = librarySkill("ui/react/auth", { parent: "ui/react/_index" });
const library = libraryOf(root, auth, ui, react);

describe("seed 004 §6.1: the chain", () => {
  const paths = (...asked: Parameters<typeof chainOf>) => chainOf(...asked).map(({ path }) => path);

  test("goes from the root to the skill", () => {
    expect(paths(library, auth)).toEqual(["_root", "ui/_index", "ui/react/_index", "ui/react/auth"]);
    expect(paths(library, root)).toEqual(["_root"]);
  });

  test("is the skill alone when it does not inherit", () => {
    expect(paths(library, { ...auth, inherit: false })).toEqual(["ui/react/auth"]);
  });

  test("goes past a parent that does not inherit itself", () => {
    const stubborn = libraryOf(root, ui, { ...react, inherit: false }, auth);
    expect(paths(stubborn, auth)).toEqual(["_root", "ui/_index", "ui/react/_index", "ui/react/auth"]);
  });

  test("ends at a parent that is not there, and at one that was there before", () => {
    expect(paths(libraryOf(auth), auth)).toEqual(["ui/react/auth"]);
    const circle = libraryOf(librarySkill("a", { parent: "b" }), librarySkill("b", { parent: "a" }));
    expect(paths(circle, librarySkill("c", { parent: "a" }))).toEqual(["b", "a", "c"]);
  });
});

describe("seed 004 §6.2: the text of a chain", () => {
  test("is the example", () => {
    const chain = [root, ui, react, auth].map((skill) => ({
      skill,
      content: `[content of ${skill.filePath}]`,
    }));
    expect(aggregateContent(chain)).toBe(
      [
        "=== GLOBAL RULES (from _root.md) ===",
        "",
        "[content of _root.md]",
        "",
        "=== UI (from ui/_index.md) ===",
        "",
        "[content of ui/_index.md]",
        "",
        "=== UI > REACT (from ui/react/_index.md) ===",
        "",
        "[content of ui/react/_index.md]",
        "",
        "=== UI > REACT > AUTH (from ui/react/auth.md) ===",
        "",
        "[content of ui/react/auth.md]",
      ].join("\n"),
    );
  });

  test.each([
    ["_root", "=== GLOBAL RULES (from _root.md) ==="],
    ["ui/_index", "=== UI (from ui/_index.md) ==="],
    ["ui/react/auth", "=== UI > REACT > AUTH (from ui/react/auth.md) ==="],
    ["no-inherit", "=== NO-INHERIT (from no-inherit.md) ==="],
    ["team/_index/extra", "=== TEAM > EXTRA (from team/_index/extra.md) ==="],
    ["ui/my_index", "=== UI > MY_INDEX (from ui/my_index.md) ==="],
    ["ui/two  words", "=== UI > TWO WORDS (from ui/two  words.md) ==="],
    ["école/thé", "=== ÉCOLE > THÉ (from école/thé.md) ==="],
    [" ui ", "=== UI (from  ui .md) ==="],
    ["_index", "=== (from _index.md) ==="],
  ])("%s goes by %s", (path, header) => {
    expect(aggregateContent([{ skill: librarySkill(path), content: "Text." }])).toBe(`${header}\n\nText.`);
  });

  test("is the skill's own, without a header, when it does not inherit", () => {
    const alone = { skill: { ...auth, inherit: false }, content: "\n\n# Auth\n\nText.\n\n" };
    expect(aggregateContent([alone])).toBe("# Auth\n\nText.");
    expect(aggregateContent([{ skill: root, content: "Rules." }, alone])).toBe("# Auth\n\nText.");
  });

  test("has no blank lines around its parts, and keeps what is inside of them", () => {
    const chain = [
      { skill: root, content: "\r\n \n    code\n\nText.  \n\n" },
      { skill: ui, content: " \n " },
      { skill: auth, content: "Last." },
    ];
    expect(aggregateContent(chain)).toBe(
      "=== GLOBAL RULES (from _root.md) ===\n\n    code\n\nText.\n\n=== UI (from ui/_index.md) ===\n\n" +
        "=== UI > REACT > AUTH (from ui/react/auth.md) ===\n\nLast.",
    );
  });
});
