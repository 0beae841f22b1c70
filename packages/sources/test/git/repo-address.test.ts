import { describe, expect, test } from "vitest";
import { Refusal } from "#util/pure";
import { parseRepoLists, splitRepoList } from "../../src/address/repo-list.ts";

const parseList = (list: string) => parseRepoLists([{ use: "SKILLS_REPO", addresses: splitRepoList(list) }]);

describe("SKILLS_REPO", () => {
  test.each([
    ["https://example.com/team/skills.git", "https", "skills"],
    ["https://example.com/team/skills", "https", "skills"],
    ["https://example.com:8443/team/skills.git/", "https", "skills"],
    ["HTTPS://Example.com/Team/Skills.GIT", "https", "Skills"],
    ["ssh://git@example.com/team/skills.git", "ssh", "skills"],
    ["ssh://git@example.com:2222/~me/skills", "ssh", "skills"],
    ["git@example.com:team/skills.git", "ssh", "skills"],
    ["example.com:skills.git", "ssh", "skills"],
    ["git@example.com:/srv/git/skills.git", "ssh", "skills"],
    ["example.com:/srv/skills", "ssh", "skills"],
    ["git@[::1]:team/skills.git", "ssh", "skills"],
    ["[2001:db8::7]:/srv/skills.git", "ssh", "skills"],
    ["git://example.com/skills.git", "git", "skills"],
    ["file:///srv/skills.git", "file", "skills"],
    ["http://localhost:3000/skills.git", "http", "skills"],
    ["http://127.0.0.1:3000/skills.git", "http", "skills"],
    ["http://[::1]:3000/skills.git", "http", "skills"],
    ["https://example.com/team/my%20skills.git", "https", "my-20skills"],
    ["https://example.com/team/...git", "https", "team"],
  ])("takes %s", (url, transport, name) => {
    expect(parseList(url)).toEqual([{ kind: "git", repo: { url, transport, name } }]);
  });

  test.each([
    ["team/skills", { url: "https://github.com/team/skills.git" }],
    ["team/skills#v1.2", { url: "https://github.com/team/skills.git", ref: "v1.2" }],
    ["team/skills/docs@pdf", { url: "https://github.com/team/skills.git", path: "docs", skill: "pdf" }],
    [
      "https://example.com/team/skills.git#main:docs",
      { url: "https://example.com/team/skills.git", ref: "main", path: "docs" },
    ],
  ])("takes %s with what of it is wanted", (text, { url, ...rest }) => {
    expect(parseList(text)).toMatchObject([{ repo: { url }, ...rest }]);
  });

  test.each([
    ["", /is empty/],
    [" , ,", /is empty/],
    ["skills", /is not an address/],
    ["/srv/skills.git", /is not an address; use .*file:\/\/\//],
    ["C:\\skills", /is not an address/],
    ["C:/skills", /is not an address/],
    ["https:/example.com/skills", /is not an address/],
    ["file:/srv/skills", /is not an address; use .*file:\/\/\//],
    ["git@[::1]:-x", /is not an address/],
    ["git@[-oProxyCommand=x]:skills", /is not an address/],
    ["c:skills", /is not an address/],
    ["-uhttps://example.com/skills", /starts with '-'/],
    ["--upload-pack=touch x", /space or a control character/],
    ["--upload-pack=x", /starts with '-'/],
    ["ext::sh -c x", /space or a control character/],
    ["ext::x", /is not an address/],
    ["ext::https://example.com/x", /is not an address/],
    ["fd::3", /is not an address/],
    ["http://example.com/skills.git", /not encrypted.* use https/],
    ["http://127.0.0.1.example.com/skills.git", /not encrypted/],
    ["http://localhost.example.com/skills.git", /not encrypted/],
    ["ftp://example.com/skills.git", /'ftp' is not supported/],
    ["javascript://example.com/skills.git", /is not supported/],
    ["https://example.com/sk\u0000ills", /control character/],
    ["https://example.com/a\nb", /control character/],
    ["https://example.com/", /names no repository/],
    ["https:///skills.git", /contains/],
    ["file://server/skills.git", /file:\/\/\//],
    ["ssh://-oProxyCommand=x/skills", /host starts with '-'|is not an address/],
    ["-oProxyCommand=x:skills", /starts with '-'/],
    ["git@-host:skills", /is not an address/],
    ["https://example.com/skills?private_token=canary", /with '\?' or '#'/],
    ["https://me:canary@example.com/skills", /user name or password.*GITHUB_TOKEN/],
    ["https://canary@example.com/skills", /user name or password/],
    ["ssh://git:canary@example.com/skills", /user name or password/],
    ["https://example.com/ok.git,ftp://example.com/no.git", /ftp/],
  ])("refuses %j, names the variable and shows no secret", (list, words) => {
    try {
      parseList(list);
    } catch (error) {
      expect(error).toBeInstanceOf(Refusal);
      expect((error as Refusal).detail).toEqual({ code: "bad-usage", flag: "SKILLS_REPO" });
      expect((error as Refusal).message).toMatch(words);
      expect((error as Refusal).message).toMatch(/^SKILLS_REPO .*\.$/);
      expect((error as Refusal).message).not.toContain("canary");
      return;
    }
    expect.unreachable("it was taken");
  });

  test.each([
    ["https://example.com/a.git, https://example.com/b.git ,", ["a", "b"]],
    ["https://example.com/a.git,https://example.com/a.git", ["a"]],
    [
      "https://example.com/x/skills,https://example.com/y/skills,https://example.com/z",
      ["x-skills", "y-skills", "z"],
    ],
    ["https://example.com/x/skills,git@example.com:X/Skills.git", ["x-skills", "X-Skills-2"]],
    ["team/skills:docs,team/skills:web,team/skills#v1", ["team-skills", "team-skills-2", "team-skills-3"]],
  ])("gives each repository of %s a name of its own", (list, names) => {
    expect(parseList(list).map(({ repo }) => repo.name)).toEqual(names);
  });
});
