import { describe, expect, test } from "vitest";
import { filesOf, findFile, findScript, isTraversal, ownFiles } from "../../src/matching/skill-files.ts";
import { asset, libraryOf, librarySkill, script } from "./library-skills.ts";

const root = librarySkill("_root", { assets: [asset("global.css")], scripts: [script("scripts/lint.sh")] });
const ui = librarySkill("ui/_index", { parent: "_root", assets: [asset("design-tokens.json")] });
const react = librarySkill("ui/react/_index", {
  parent: "ui/_index",
  assets: [asset("component-base.tsx", "the parent's")],
  scripts: [script("scripts/scaffold.sh", "the parent's")],
});
const auth = librarySkill("ui/react/auth", {
  parent: "ui/react/_index",
  assets: [asset("AuthProvider.tsx"), asset("component-base.tsx", "its own")],
});
const library = libraryOf(root, ui, react, auth);

describe("seed 004 §7.3: the files of a skill", () => {
  test("are the example: its own component-base.tsx overrides the parent's", () => {
    expect(filesOf(library, auth)).toEqual({
      assets: [asset("AuthProvider.tsx"), asset("component-base.tsx", "its own")],
      scripts: [],
      inheritedAssets: [
        { ...asset("global.css"), from: "_root" },
        { ...asset("design-tokens.json"), from: "ui/_index" },
      ],
      inheritedScripts: [
        { ...script("scripts/lint.sh"), from: "_root" },
        { ...script("scripts/scaffold.sh", "the parent's"), from: "ui/react/_index" },
      ],
      problems: [],
    });
  });

  test("are its own alone when it does not inherit", () => {
    const { inheritedAssets, inheritedScripts, assets } = filesOf(library, { ...auth, inherit: false });
    expect({ inheritedAssets, inheritedScripts }).toEqual({ inheritedAssets: [], inheritedScripts: [] });
    expect(assets).toHaveLength(2);
  });

  test("override by name between levels, wherever they lie, and by path within one", () => {
    const above = librarySkill("_root", {
      assets: [asset("assets/a.css"), asset("old/b.css"), asset("x/c.css"), asset("y/c.css")],
    });
    const below = librarySkill("ui/_index", {
      parent: "_root",
      assets: [asset("new/b.css"), asset("other/b.css")],
    });
    const leaf = librarySkill("ui/leaf", {
      parent: "ui/_index",
      assets: [
        asset("z/d.css", "first"),
        asset("w/d.css"),
        asset("z/d.css", "second"),
        asset("elsewhere/a.css"),
      ],
    });
    const files = filesOf(libraryOf(above, below, leaf), leaf);
    expect(files.assets).toEqual([asset("z/d.css", "second"), asset("w/d.css"), asset("elsewhere/a.css")]);
    expect(files.inheritedAssets.map(({ file, from }) => `${from}: ${file}`)).toEqual([
      "_root: x/c.css",
      "_root: y/c.css",
      "ui/_index: new/b.css",
      "ui/_index: other/b.css",
    ]);
  });

  test("an asset does not override a script of its name", () => {
    const child = librarySkill("child", { parent: "_root", assets: [asset("lint.sh")] });
    expect(filesOf(libraryOf(root, child), child).inheritedScripts).toHaveLength(1);
  });

  test("seed 004 §7.1: a skill without a folder has none, and hides none", () => {
    const bare = { ...auth, resourceDir: undefined };
    const { assets, inheritedAssets } = filesOf(library, bare);
    expect(assets).toEqual([]);
    expect(inheritedAssets.map(({ file }) => file)).toEqual([
      "global.css",
      "design-tokens.json",
      "component-base.tsx",
    ]);
  });
});

const OUTSIDE = [
  "../secret",
  "assets/../../secret",
  "assets/..",
  "..",
  "/etc/passwd",
  "C:/secret",
  "C:secret",
  "assets\\secret",
  "..\\secret",
  "a\0b",
  "",
];

describe("seed 004 §12.1: a path that could lead out of its folder", () => {
  test.each(OUTSIDE)("is %j", (file) => {
    expect(isTraversal(file)).toBe(true);
  });

  test.each(["a", "assets/a.css", "a..b/c..", "...", ".hidden", "./a", "~tilde", "with space/ü.png"])(
    "is not %j",
    (file) => {
      expect(isTraversal(file)).toBe(false);
    },
  );

  test.each(OUTSIDE)("is not served when it is declared, but told: %j", (file) => {
    const skill = librarySkill("ui/auth", { assets: [asset(file), asset("fine")], scripts: [script(file)] });
    const files = filesOf(libraryOf(skill), skill);
    expect(files.assets).toEqual([asset("fine")]);
    expect(files.scripts).toEqual([]);
    expect(files.problems).toMatchObject([
      { filePath: "ui/auth.md", declared: "asset", file },
      { filePath: "ui/auth.md", declared: "script", file },
    ]);
    expect(findFile(libraryOf(skill), skill, file)).toBeUndefined();
  });

  test("is told in a sentence that is safe to print", () => {
    const [problem] = ownFiles(librarySkill("ui/auth", { assets: [asset("../a\nb")] })).problems;
    expect(problem?.message).toBe(
      'ui/auth.md declares the asset "../a\\nb", which is not served: it must be a path below the skill\'s own ' +
        "folder, with '/' and without '..'.",
    );
  });

  test("is told for the skills above as well", () => {
    const above = librarySkill("_root", { scripts: [script("../x")] });
    const below = librarySkill("a", { parent: "_root" });
    expect(filesOf(libraryOf(above, below), below).problems).toMatchObject([
      { filePath: "_root.md", file: "../x" },
    ]);
  });
});

describe("a hidden file", () => {
  test("is not served when it is declared, but told", () => {
    const files = ownFiles(
      librarySkill("ui/auth", { assets: [asset("fine"), asset("a/.env")], scripts: [script(".run.sh")] }),
    );
    expect(files).toMatchObject({ assets: [asset("fine")], scripts: [] });
    expect(files.problems.map(({ message }) => message)).toEqual([
      'ui/auth.md declares the asset "a/.env", which is not served: hidden files (names that start with a dot) are never served.',
      'ui/auth.md declares the script ".run.sh", which is not served: hidden files (names that start with a dot) are never served.',
    ]);
  });
});

describe("seed 004 §7.5: a file is found", () => {
  test.each([
    ["on the skill itself", "AuthProvider.tsx", "asset", "ui/react/auth", undefined],
    ["on the skill itself before its parents", "component-base.tsx", "asset", "ui/react/auth", undefined],
    ["on its parent", "scripts/scaffold.sh", "script", "ui/react/_index", "ui/react/_index"],
    ["further up", "design-tokens.json", "asset", "ui/_index", "ui/_index"],
    ["L7: a script of the root", "scripts/lint.sh", "script", "_root", "_root"],
  ])("%s: %s", (_where, file, kind, holder, from) => {
    expect(findFile(library, auth, file)).toMatchObject({
      kind,
      skill: { path: holder },
      declaration: { file },
      from,
    });
  });

  test.each(["missing.css", "scaffold.sh", "Global.css", "./global.css", ""])(
    "only under the path that is declared, so not as %j",
    (file) => {
      expect(findFile(library, auth, file)).toBeUndefined();
    },
  );

  test("on the skill alone when it does not inherit", () => {
    const alone = { ...auth, inherit: false };
    expect(findFile(library, alone, "global.css")).toBeUndefined();
    expect(findFile(library, alone, "AuthProvider.tsx")).toMatchObject({ from: undefined });
  });

  test("under the path that a nearer file of its name does not have", () => {
    const child = librarySkill("child", { parent: "_root", assets: [asset("theme/global.css")] });
    expect(findFile(libraryOf(root, child), child, "global.css")).toMatchObject({ from: "_root" });
  });

  test("not on a skill without a folder", () => {
    expect(findFile(library, { ...auth, resourceDir: undefined }, "component-base.tsx")).toMatchObject({
      from: "ui/react/_index",
    });
  });

  test("as an asset before a script, and as a script when one is asked for", () => {
    const both = librarySkill("both", { assets: [asset("run.sh")], scripts: [script("run.sh")] });
    expect(findFile(libraryOf(both), both, "run.sh")?.kind).toBe("asset");
    expect(findScript(libraryOf(both), both, "run.sh")).toMatchObject({ kind: "script", from: undefined });
    expect(findScript(library, auth, "scripts/lint.sh")).toMatchObject({ kind: "script", from: "_root" });
    expect(findScript(library, auth, "global.css")).toBeUndefined();
  });
});
