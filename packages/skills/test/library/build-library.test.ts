import { describe, expect, test } from "vitest";
import { libraryFile } from "../../../../test/support/library-file.ts";
import { buildLibrary, derivedParent, skillPathOf } from "../../src/library/library.ts";

function parentsOf(...filePaths: string[]): Record<string, string | undefined> {
  const { skills } = buildLibrary([{ prefix: "", files: filePaths.map((file) => libraryFile(file)) }]);
  return Object.fromEntries([...skills.values()].map(({ path, parent }) => [path, parent]));
}

describe("seed 004 §4.3: skill paths", () => {
  test.each([
    ["_root.md", "_root"],
    ["ui/_index.md", "ui/_index"],
    ["ui/react/_index.md", "ui/react/_index"],
    ["ui/react/auth.md", "ui/react/auth"],
    ["no-inherit.md", "no-inherit"],
    ["release-1.0.md", "release-1.0"],
  ])("%s is %s", (file, path) => {
    expect(skillPathOf(file)).toBe(path);
  });
});

describe("seed 004 §4.4: parents", () => {
  test.each([
    ["_root", undefined],
    ["ui/_index", "_root"],
    ["ui/react/_index", "ui/_index"],
    ["ui/react/auth", "ui/react/_index"],
    ["no-inherit", "_root"],
    ["_index", "_root"],
  ])("the parent of %s is %s", (path, parent) => {
    expect(derivedParent(path)).toBe(parent);
  });

  test("all levels exist: each stands below the next", () => {
    expect(parentsOf("_root.md", "ui/_index.md", "ui/react/_index.md", "ui/react/auth.md")).toEqual({
      _root: undefined,
      "ui/_index": "_root",
      "ui/react/_index": "ui/_index",
      "ui/react/auth": "ui/react/_index",
    });
  });

  test("a missing level is skipped, up to the nearest that exists", () => {
    expect(parentsOf("_root.md", "ui/_index.md", "ui/react/auth.md")["ui/react/auth"]).toBe("ui/_index");
    expect(parentsOf("_root.md", "a/b/c/d.md")["a/b/c/d"]).toBe("_root");
    expect(parentsOf("a/b/c/d.md")["a/b/c/d"]).toBeUndefined();
  });

  test("a file that sorts before its folder's index finds it all the same", () => {
    expect(parentsOf("ui/2fa.md", "ui/_index.md")["ui/2fa"]).toBe("ui/_index");
  });
});

describe("several libraries", () => {
  test("of one prefix have one tree, in which the first library wins", () => {
    const { skills } = buildLibrary([
      { prefix: "web", files: [libraryFile("b.md", { description: "first" })] },
      { prefix: "web", files: [libraryFile("b.md", { description: "second" }), libraryFile("a.md")] },
    ]);
    expect([...skills.values()].map(({ path, description }) => [path, description])).toEqual([
      ["web/a", "About a."],
      ["web/b", "first"],
    ]);
  });

  test("each has its own tree below its prefix", () => {
    const { skills } = buildLibrary([
      { prefix: "web", files: [libraryFile("_root.md"), libraryFile("ui/login.md")] },
      { prefix: "data", files: [libraryFile("_root.md"), libraryFile("ui/login.md")] },
    ]);
    expect([...skills.values()].map(({ path, parent, filePath }) => [path, parent, filePath])).toEqual([
      ["data/_root", undefined, "data/_root.md"],
      ["data/ui/login", "data/_root", "data/ui/login.md"],
      ["web/_root", undefined, "web/_root.md"],
      ["web/ui/login", "web/_root", "web/ui/login.md"],
    ]);
  });
});
