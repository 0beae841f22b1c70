import { expect, test } from "vitest";
import { parseMarketplace } from "../../src/repos/marketplace.ts";

const one = (plugin: object, more: object = {}) =>
  parseMarketplace({ ...more, plugins: [{ name: "p", ...plugin }] })?.plugins[0];

test.each<readonly [string, unknown, unknown]>([
  ["a folder", "./a/b/", { kind: "inside", path: "a/b" }],
  ["a folder without a dot", "a", { kind: "inside", path: "a" }],
  ["the whole", "./", { kind: "inside", path: "" }],
  ["a way around", "./a/../b", { kind: "inside", path: "b" }],
  ["a folder as Codex writes it", { source: "local", path: "./p" }, { kind: "inside", path: "p" }],
  ["none, which is the whole", undefined, { kind: "inside", path: "" }],
  ["a parent folder", "../x", { kind: "outside", path: "../x" }],
  ["a parent folder at the end of a way", "./a/../../x", { kind: "outside", path: "./a/../../x" }],
  ["an absolute path", "/x", { kind: "outside", path: "/x" }],
  ["a drive", "C:\\x", { kind: "outside", path: "C:\\x" }],
  ["a backslash", "a\\..\\b", { kind: "outside", path: "a\\..\\b" }],
  ["a NUL", "a\0", { kind: "outside", path: "a\0" }],
  ["a URL", "https://e.com/r.git", { kind: "elsewhere", address: "https://e.com/r.git" }],
  ["git over SSH", "git@e.com:r.git", { kind: "elsewhere", address: "git@e.com:r.git" }],
  ["GitHub", { source: "github", repo: "o/r" }, { kind: "elsewhere", address: "o/r" }],
  [
    "GitHub with a commit",
    { source: "github", repo: "o/r", ref: "main", sha: "abc" },
    { kind: "elsewhere", address: "o/r#abc" },
  ],
  [
    "a folder of a repository",
    { source: "git-subdir", url: "https://e.com/r.git", path: "a/b", ref: "v1" },
    { kind: "elsewhere", address: "https://e.com/r.git#v1:a/b" },
  ],
  [
    "a repository",
    { source: "url", url: "https://e.com/r.git" },
    { kind: "elsewhere", address: "https://e.com/r.git" },
  ],
  [
    "npm",
    { source: "npm", package: "@o/p", version: "1.0.0" },
    { kind: "elsewhere", address: "npm:@o/p@1.0.0" },
  ],
  ["npm without a version", { source: "npm", package: "p" }, { kind: "elsewhere", address: "npm:p" }],
  ["npm without a package", { source: "npm", version: "1.0.0" }, { kind: "unknown" }],
  ["a package of something else", { source: "floppy", package: "p" }, { kind: "unknown" }],
  ["GitHub without a repository", { source: "github", ref: "main" }, { kind: "unknown" }],
  ["a repository of something else", { source: "floppy", repo: "o/r" }, { kind: "unknown" }],
  ["a folder as Codex writes it, but without a path", { source: "local" }, { kind: "unknown" }],
  ["a folder of something else", { source: "floppy", path: "./p" }, { kind: "unknown" }],
  [
    "a folder outside of a repository, which is the whole",
    { source: "git-subdir", url: "https://e.com/r.git", path: "../x" },
    { kind: "elsewhere", address: "https://e.com/r.git:" },
  ],
  ["a list", [], { kind: "unknown" }],
  ["a kind that is not known", { source: "floppy" }, { kind: "unknown" }],
  ["a number", 7, { kind: "unknown" }],
  ["null", null, { kind: "unknown" }],
])("the source of a plugin: %s", (_what, source, expected) => {
  expect(one({ source })?.source).toEqual(expected);
});

test.each([
  ["./packs", "./a", { kind: "inside", path: "packs/a" }],
  ["./packs", "../a", { kind: "inside", path: "a" }],
  ["./packs", "/a", { kind: "outside", path: "/a" }],
  ["../packs", "./a", { kind: "outside", path: "./a" }],
  ["/packs", "./a", { kind: "outside", path: "./a" }],
  ["./packs", undefined, { kind: "inside", path: "" }],
])("with the base folder %s, the source %s is found", (pluginRoot, source, expected) => {
  expect(one({ source }, { metadata: { pluginRoot } })?.source).toEqual(expected);
});

test.each<readonly [unknown, readonly string[] | undefined]>([
  [undefined, undefined],
  [[], undefined],
  [{}, undefined],
  ["./x", ["t/x"]],
  [
    ["./x/", "../shared/y", "./"],
    ["t/x", "shared/y", "t"],
  ],
  [["../../etc", "/etc", 7], []],
])("a plugin with the skills %j lists %j", (skills, expected) => {
  expect(one({ source: "./t", skills })?.skills).toEqual(expected);
});

test("entries that are no objects or have no name are ignored, each with a problem", () => {
  expect(
    parseMarketplace({ name: " the shop ", plugins: ["x", null, {}, { name: " " }, { name: "a/b" }] }),
  ).toEqual({
    name: "the shop",
    plugins: [{ name: "a-b", source: { kind: "inside", path: "" }, skills: undefined }],
    problems: [
      "An entry of its list is no object, so it is ignored.",
      "An entry of its list is no object, so it is ignored.",
      "A plugin without a name is ignored.",
      "A plugin without a name is ignored.",
    ],
  });
});

test.each([undefined, null, 7, "x", [], {}, { plugins: {} }])("%j is no marketplace", (value) => {
  expect(parseMarketplace(value)).toBeUndefined();
});
