import { describe, expect, it } from "vitest";
import { Refusal } from "#util/pure";
import { parseGitAddress, parseSourceAddress } from "../src/address/source-address.ts";

const GITHUB = "https://github.com/anthropics/skills.git";

/** What is typed, the repository, and what of it is wanted. */
const REPOSITORIES: readonly [text: string, url: string, wanted?: object][] = [
  ["anthropics/skills", GITHUB],
  ["anthropics/skills/", GITHUB],
  ["anthropics/skills.git", GITHUB],
  ["anthropics/skills/skills/pdf", GITHUB, { path: "skills/pdf" }],
  ["anthropics/skills:skills/pdf", GITHUB, { path: "skills/pdf" }],
  ["anthropics/skills@pdf", GITHUB, { skill: "pdf" }],
  ["anthropics/skills/document-skills@pdf", GITHUB, { path: "document-skills", skill: "pdf" }],
  ["anthropics/skills#v1.2", GITHUB, { ref: "v1.2" }],
  ["anthropics/skills#feature/x", GITHUB, { ref: "feature/x" }],
  ["anthropics/skills#main:skills/pdf", GITHUB, { ref: "main", path: "skills/pdf" }],
  ["anthropics/skills#main@pdf", GITHUB, { ref: "main", skill: "pdf" }],
  ["anthropics/skills:skills#main", GITHUB, { ref: "main", path: "skills" }],
  ["github:anthropics/skills", GITHUB],
  ["github:anthropics/skills/skills/pdf#main", GITHUB, { path: "skills/pdf", ref: "main" }],
  ["GitHub:anthropics/skills", GITHUB],
  ["gitlab:group/sub/repo", "https://gitlab.com/group/sub/repo.git"],
  ["gitlab:group/repo:skills/a#v2", "https://gitlab.com/group/repo.git", { path: "skills/a", ref: "v2" }],
  ["bitbucket:team/repo/skills", "https://bitbucket.org/team/repo.git", { path: "skills" }],
  ["https://github.com/anthropics/skills", "https://github.com/anthropics/skills"],
  ["https://github.com/anthropics/skills.git#main", GITHUB, { ref: "main" }],
  ["https://github.com/anthropics/skills.git:skills/pdf", GITHUB, { path: "skills/pdf" }],
  ["https://github.com/anthropics/skills/tree/main", GITHUB, { ref: "main" }],
  ["https://github.com/anthropics/skills/tree/main/skills/pdf", GITHUB, { ref: "main", path: "skills/pdf" }],
  [
    "https://github.com/anthropics/skills/blob/main/skills/pdf/SKILL.md",
    GITHUB,
    { ref: "main", path: "skills/pdf" },
  ],
  [
    "https://gitlab.example.com/a/b/c/-/tree/dev/skills",
    "https://gitlab.example.com/a/b/c.git",
    { ref: "dev", path: "skills" },
  ],
  ["https://git.example.com/team/skills.git", "https://git.example.com/team/skills.git"],
  [
    "https://git.example.com/team/skills.git@pdf",
    "https://git.example.com/team/skills.git",
    { skill: "pdf" },
  ],
  [
    "http://127.0.0.1:4000/team/skills.git#main:a",
    "http://127.0.0.1:4000/team/skills.git",
    { ref: "main", path: "a" },
  ],
  ["git@github.com:anthropics/skills.git", "git@github.com:anthropics/skills.git"],
  ["git@github.com:anthropics/skills.git#v1", "git@github.com:anthropics/skills.git", { ref: "v1" }],
  ["git@github.com:anthropics/skills.git:skills", "git@github.com:anthropics/skills.git", { path: "skills" }],
  ["ssh://git@example.com:2222/team/skills.git", "ssh://git@example.com:2222/team/skills.git"],
  ["file:///srv/git/skills.git", "file:///srv/git/skills.git"],
  ["file:///C:/git/skills.git:skills", "file:///C:/git/skills.git", { path: "skills" }],
];

describe("the address of a repository", () => {
  it.each(REPOSITORIES)("is read from %s", (text, url, wanted: object = {}) => {
    const { repo, kind, ...rest } = parseGitAddress(text);
    expect({ kind, url: repo.url, ...rest }).toEqual({ kind: "git", url, ...wanted });
    expect(parseSourceAddress(text)).toEqual(parseGitAddress(text));
  });

  it.each([
    ["a/b#--upload-pack=x", "no branch"],
    ["a/b#", "no branch"],
    ["a/b:../../etc", "inside the repository"],
    ["a/b/../c", "inside the repository"],
    ["a/../c", "not an address"],
    ["a/..", "not an address"],
    ["gitlab:a/../b", "names no repository"],
    ["https://example.com/a/../b.git", "names no repository"],
    ["a/b@", "name of a skill"],
    ["--upload-pack=x", "starts with '-'"],
    ["https://user:secret@example.com/a.git", "user name or password"],
    ["http://example.com/a.git", "use https"],
    ["ext::sh -c whoami", "space or a control character in an address; use owner/repo"],
    ["word", "not an address"],
    ["a/b\u0000c", "control character"],
  ])("refuses %s", (text, reason) => {
    expect(() => parseGitAddress(text, "SKILLS_REPO")).toThrow(reason);
    expect(() => parseGitAddress(text, "SKILLS_REPO")).toThrow(Refusal);
  });

  it("never shows a password that it refuses", () => {
    expect(() => parseGitAddress("https://user:secret@example.com/a.git")).toThrow(/^(?!.*secret)/);
  });
});

describe("other sources", () => {
  it.each([
    ["./skills", { kind: "folder", folder: "./skills" }],
    ["..", { kind: "folder", folder: ".." }],
    ["/srv/skills", { kind: "folder", folder: "/srv/skills" }],
    ["~/skills", { kind: "folder", folder: "~/skills" }],
    ["C:\\skills", { kind: "folder", folder: "C:\\skills" }],
    ["./pdf.skill", { kind: "archive", place: "./pdf.skill", isRemote: false }],
    ["file:///tmp/my%20pdf.zip", { kind: "archive", place: "/tmp/my pdf.zip", isRemote: false }],
    ["/tmp/pdf.tar.gz", { kind: "archive", place: "/tmp/pdf.tar.gz", isRemote: false }],
    [
      "https://example.com/pdf.zip",
      { kind: "archive", place: "https://example.com/pdf.zip", isRemote: true },
    ],
    [
      "https://github.com/a/b/archive/main.zip",
      { kind: "archive", place: "https://github.com/a/b/archive/main.zip", isRemote: true },
    ],
    ["https://example.com", { kind: "site", url: "https://example.com" }],
    ["http://127.0.0.1:4700", { kind: "site", url: "http://127.0.0.1:4700" }],
    [
      "https://example.com/.claude-plugin/marketplace.json",
      { kind: "marketplace", place: "https://example.com/.claude-plugin/marketplace.json", isRemote: true },
    ],
    ["./marketplace.json", { kind: "marketplace", place: "./marketplace.json", isRemote: false }],
    ["npm:my-skills", { kind: "npm", name: "my-skills" }],
    ["npm:@team/skills@1.2.3", { kind: "npm", name: "@team/skills", version: "1.2.3" }],
  ])("%s is recognised", (text, wanted) => {
    expect(parseSourceAddress(text)).toEqual(wanted);
  });

  it.each([
    ["npm:../x", "npm package"],
    ["npm:a@--flag x", "version"],
    ["http://example.com", "use https"],
    ["https://user:secret@example.com", "user name or password"],
    ["", "is empty"],
  ])("refuses '%s'", (text, reason) => {
    expect(() => parseSourceAddress(text)).toThrow(reason);
  });
});
