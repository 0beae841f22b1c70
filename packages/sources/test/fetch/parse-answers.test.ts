import { expect, test } from "vitest";
import { FETCH_LIMITS } from "../../src/fetch/limits.ts";
import { contentKey, parseSkillIndex } from "../../src/fetch/site/skill-index.ts";
import { parseRemoteRefs, resolveRef } from "../../src/git/remote-refs.ts";

const [A, B, C] = ["a", "b", "c"].map((digit) => digit.repeat(40)) as [string, string, string];
const LISTING = [
  "ref: refs/heads/trunk\tHEAD",
  `${A}\tHEAD`,
  `${B}\trefs/heads/v1`,
  `${C}\trefs/tags/v1`,
  `${C}\trefs/tags/v2`,
  `${A}\trefs/tags/v2^{}`,
  "warning: something else",
].join("\n");

test.each([
  ["the default branch", undefined, { commit: A, ref: "HEAD" }],
  ["a branch before a tag of its name", "v1", { commit: B, ref: "refs/heads/v1" }],
  ["the commit of an annotated tag", "v2", { commit: A, ref: "refs/tags/v2" }],
  ["nothing", "v3", undefined],
])("a ref of a remote resolves to %s", (_what, ref, expected) => {
  const refs = parseRemoteRefs(LISTING);
  expect(refs.defaultBranch).toBe("trunk");
  expect(resolveRef(refs, ref)).toEqual(expected);
});

const DIGEST = `sha256:${"0".repeat(64)}`;
const parse = (...skills: readonly unknown[]) => parseSkillIndex(JSON.stringify({ skills }), FETCH_LIMITS);

test.each(["", "[]", "{", "null", '{"skills":{}}', "<html>"])("%j is no index", (text) => {
  expect(parseSkillIndex(text, FETCH_LIMITS)).toBeUndefined();
});

test.each<readonly [unknown, string]>([
  [null, "entry 1 is not an object"],
  [{ files: ["SKILL.md"] }, "entry 1 has no valid name"],
  [{ name: "a/b", files: ["SKILL.md"] }, "entry 1 has no valid name"],
  [{ name: ".git", files: ["SKILL.md"] }, "entry 1 has no valid name"],
  [{ name: "nul", files: ["SKILL.md"] }, "entry 1 has no valid name"],
  [{ name: "x".repeat(65), files: ["SKILL.md"] }, "entry 1 has no valid name"],
  [{ name: "a", files: ["a.md"] }, "entry 1 ('a') lists no SKILL.md"],
  [
    { name: "a", files: ["SKILL.md", 1] },
    "entry 1 ('a') lists a file with an unsafe path or a broken digest",
  ],
  [
    { name: "a", files: ["SKILL.md", "/etc/passwd"] },
    "entry 1 ('a') lists a file with an unsafe path or a broken digest",
  ],
  [
    { name: "a", files: [{ path: "SKILL.md", digest: "md5:1" }] },
    "entry 1 ('a') lists a file with an unsafe path or a broken digest",
  ],
  [{ name: "a" }, "entry 1 ('a') is of an unknown type"],
  [{ name: "a", type: "archive", digest: DIGEST }, "entry 1 ('a') has no url"],
  [{ name: "a", type: "archive", url: "x" }, "entry 1 ('a') has no valid sha256 digest"],
])("the entry %j is skipped", (entry, problem) => {
  expect(parse(entry)).toEqual({ skills: [], skipped: [problem] });
});

test("entries of all versions are read, and of two with one name the first", () => {
  const artifact = { name: "a", type: "skill-md", url: "a.md", digest: DIGEST };
  const index = parse(
    artifact,
    { name: "b", version: "1", files: ["SKILL.md"] },
    { name: "c", files: [{ path: "SKILL.md", digest: DIGEST }], digest: DIGEST },
    { ...artifact, name: "A" },
  );
  expect(index?.skills.map(({ kind, name }) => [kind, name])).toEqual([
    ["artifact", "a"],
    ["files", "b"],
    ["files", "c"],
  ]);
  expect(index?.skipped).toEqual(["entry 4 has the name of an earlier one, 'A'"]);
});

test("what an index lists has a key that ignores order, unless a skill has neither a digest nor a version", () => {
  const key = (...skills: readonly unknown[]) => contentKey(parse(...skills) ?? { skills: [], skipped: [] });
  const [first, second] = [
    { name: "a", type: "skill-md", url: "a.md", digest: DIGEST },
    { name: "b", version: "1", files: ["SKILL.md"] },
  ];
  expect(key(first, second)).toBe(key(second, first));
  expect(key(first, second)).not.toBe(key(first, { ...second, version: "2" }));
  expect(key(first, { name: "b", files: ["SKILL.md"] })).toBeUndefined();
  expect(key({ name: "c", files: [{ path: "SKILL.md", digest: DIGEST }] })).toBe(`c SKILL.md ${DIGEST}`);
});
