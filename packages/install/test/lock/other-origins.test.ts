import { expect, test } from "vitest";
import { apmOrigins, clawHubLock, clawHubOrigin, gitHubOrigin } from "../../src/lock/other-origins.ts";

test.each([
  [
    '{"version":1,"registry":"https://r","slug":"pdf","installedVersion":"1.2.0","installedAt":1}',
    "clawhub:pdf@1.2.0",
  ],
  ['{"version":1}', undefined],
  ["{", undefined],
  ["", undefined],
])("the origin of ClawHub in %s", (text, origin) => {
  expect(clawHubOrigin(text)).toBe(origin);
});

test("the lock of ClawHub", () => {
  const lock = clawHubLock('{"version":1,"skills":{"pdf":{"version":"1.2.0","installedAt":1},"odd":{}}}');
  expect([...lock]).toEqual([
    ["pdf", "clawhub:pdf@1.2.0"],
    ["odd", "clawhub:odd"],
  ]);
  expect(clawHubLock("null").size).toBe(0);
});

test.each([
  [{ "github-repo": "https://github.com/acme/skills", "github-ref": "refs/heads/main" }, "acme/skills@main"],
  [
    { "github-repo": "https://github.com/acme/skills", "github-ref": "refs/tags/v1", "github-pinned": "v1" },
    "acme/skills@v1",
  ],
  [{ "github-repo": "acme/skills" }, "acme/skills"],
  [{ author: "acme" }, undefined],
  ["text", undefined],
])("the front matter of gh skill %j", (metadata, origin) => {
  expect(gitHubOrigin({ metadata })).toBe(origin);
});

test("the lock of APM", () => {
  const text = `lockfile_version: "1"
dependencies:
  - repo_url: acme/skills
    resolved_commit: 0123456789abcdef0123456789abcdef01234567
    deployed_files:
      - .agents/skills/pdf
      - .agents/skills/pdf/SKILL.md
  - repo_url: acme/other
    deployed_files: [.claude/skills/other/]
  - 7
`;
  expect(apmOrigins(text).get(".agents/skills/pdf")).toBe("acme/skills@0123456");
  expect(apmOrigins(text).get(".claude/skills/other")).toBe("acme/other");
  expect(apmOrigins("a: [").size).toBe(0);
});
