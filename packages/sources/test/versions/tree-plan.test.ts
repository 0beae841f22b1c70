import { lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { array, assert, constantFrom, property, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { GIT_LIMITS } from "../../src/git/git-limits.ts";
import {
  countDifferences,
  parseTree,
  planTree,
  resolveTreeLink,
  type TreeEntry,
} from "../../src/versions/tree-plan.ts";

const OID = "1".repeat(40);
const file = (path: string, size = 1, oid = OID): TreeEntry => ({ mode: "100644", oid, size, path });
const link = (path: string): TreeEntry => ({ mode: "120000", oid: OID, size: 1, path });
const codes = (
  entries: readonly TreeEntry[],
  links: Record<string, string> = {},
  foldCase = false,
  takeAnyName = true,
) =>
  planTree(entries, new Map(Object.entries(links)), GIT_LIMITS, { foldCase, takeAnyName }).findings.map(
    ({ code }) => code,
  );

describe("the plan of a tree", () => {
  test("reads what ls-tree writes", () => {
    const text = `100644 blob ${OID}      12\ta b/é.md\u0000160000 commit ${OID}       -\tsub\u0000`;
    expect(parseTree(Buffer.from(text))).toEqual([
      { mode: "100644", oid: OID, size: 12, path: "a b/é.md" },
      { mode: "160000", oid: OID, size: undefined, path: "sub" },
    ]);
  });

  test.each([
    ".git/config",
    ".GIT/config",
    "a/.Git",
    ".git./x",
    ".git /x",
    ".git::$INDEX_ALLOCATION/x",
    "git~1/x",
    "GIT~2",
    ".g\u200cit/x",
    "../x",
    "a/../x",
    "./x",
    "a//b",
    "a\\b",
    "a\u0001",
    "a\nb",
    "bad\ufffdname",
  ])("leaves out %j", (path) => {
    expect(codes([file(path)])).toEqual(["reserved-name"]);
  });

  test.each(["aux.md", "a/CON", "com1.tar.gz", "LPT¹", "a.", "b /x", "a:b", "what?.md"])(
    "leaves out %j on Windows alone",
    (path) => {
      expect(codes([file(path), file("auxiliary.md")], {}, true, false)).toEqual(["reserved-name"]);
      expect(codes([file(path)])).toEqual([]);
    },
  );

  test.each([
    ".gitignore",
    ".github/skills/SKILL.md",
    "git/SKILL.md",
    "a.git/x",
    "...",
    "größe/日本.md",
    "git~x",
    ".gitmodules",
  ])("keeps %j", (path) => {
    expect(codes([file(path)])).toEqual([]);
  });

  test.each([
    ["path-too-long", file("x".repeat(256))],
    ["path-too-long", file("x/".repeat(32) + "x")],
    ["path-too-long", file("abcdefgh/".repeat(20).slice(0, -1) + "x".repeat(700))],
    ["file-too-large", file("big", GIT_LIMITS.fileBytes + 1)],
    ["submodule", { mode: "160000", oid: OID, size: undefined, path: "sub" }],
    ["reserved-name", link(".gitmodules")],
    ["link-leaves", link("a")],
  ])("finds %s", (code, entry) => {
    expect(codes([entry, file("fine")], { a: "../x" })).toEqual([code]);
  });

  test("takes names that differ in case where the disk can, and the first where it cannot", () => {
    const entries = [file("README.md"), file("readme.md"), file("a/x"), file("A/X")];
    expect(codes(entries)).toEqual([]);
    expect(codes(entries, {}, true)).toEqual(["name-clash", "name-clash"]);
  });

  test("never keeps a link that another path could be written through", () => {
    expect(codes([link("A"), file("a/post-checkout")], { A: "b" })).toEqual(["name-clash"]);
    expect(codes([link("A"), file("a")], { A: "b" })).toEqual(["name-clash"]);
    expect(codes([link("a"), file("ab/c")], { a: "ab" })).toEqual([]);
  });

  test.each([
    [[file("a", 1, "1")], [file("a", 1, "1")], 0],
    [[file("a", 1, "1")], [file("a", 1, "2")], 1],
    [[file("a")], [file("b")], 2],
    [[], [file("a"), file("b")], 2],
    [[file("a")], [{ ...file("a"), mode: "100755" }], 1],
  ])("counts what differs (%#)", (before, after, count) => {
    expect(countDifferences(before, after)).toBe(count);
  });
});

describe("a link in a tree", () => {
  test.each([
    ["a", { a: "b" }, "b"],
    ["x/a", { "x/a": "../b" }, "b"],
    ["x/a", { "x/a": "../../b" }, undefined],
    ["a", { a: "/etc/passwd" }, undefined],
    ["a", { a: "C:\\x" }, undefined],
    ["a", { a: "" }, undefined],
    ["a", { a: "a" }, undefined],
    ["a", { a: "b", b: "a" }, undefined],
    ["a", { a: "." }, ""],
    // Looks inside, and is not: `p/q/r` leads to the top, from where `../..` leaves.
    ["l", { l: "p/q/r/../../x", "p/q/r": "../../top" }, undefined],
    ["l", { l: "p/q/r/../x", "p/q/r": "../../top" }, "x"],
  ])("at %s with %j leads to %j", (path, links, expected) => {
    expect(resolveTreeLink(path, new Map(Object.entries(links)))).toBe(expected);
  });

  test("leads where the system says, for any links", () => {
    const sandbox = createSandbox();
    const part = constantFrom("a", "b", "c", "..", ".");
    const target = array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("/"));
    const place = constantFrom("a", "b", "c/a", "c/b", "c/c/a");
    assert(
      property(array(tuple(place, target), { maxLength: 4 }), (pairs) => {
        const root = realpathSync(mkdtempSync(sandbox.path("t-")));
        try {
          const links = new Map<string, string>();
          mkdirSync(path.join(root, "tree/c/c"), { recursive: true });
          for (const [at, to] of pairs) {
            if (lstatSync(path.join(root, "tree", at), { throwIfNoEntry: false }) !== undefined) continue;
            symlinkSync(to, path.join(root, "tree", at));
            links.set(at, to);
          }
          writeFileSync(path.join(root, "tree/c/c/c"), "");
          for (const at of links.keys()) {
            const found = systemAnswer(path.join(root, "tree"), at);
            // What does not exist has no answer of the system.
            if (found !== undefined) expect(resolveTreeLink(at, links) ?? "outside").toBe(found);
          }
        } finally {
          rmSync(root, { recursive: true });
        }
      }),
      { numRuns: 200 },
    );
  });

  function systemAnswer(tree: string, at: string): string | undefined {
    try {
      // Not Node's own, which compares texts as well.
      const real = path.relative(tree, realpathSync.native(path.join(tree, at)));
      return real.startsWith("..") ? "outside" : real;
    } catch {
      return undefined;
    }
  }
});
