import { expect, test } from "vitest";
import { keyPath } from "../../../src/app/config/leaves.ts";
import type { Setting } from "../../../src/app/config/merge.ts";
import { judgeGitSettings } from "../../../src/app/config/trust.ts";

const set = (value: unknown, ...parts: string[]): Setting => {
  return { parts, value, origin: { kind: "file", file: "/repo/config.yaml" } };
};
const judge = (trusted: boolean, ...settings: readonly Setting[]) => {
  const judged = judgeGitSettings(settings, { file: "/repo/config.yaml", ownFile: "/own.yaml", trusted });
  return { counted: judged.settings.map((setting) => keyPath(setting.parts)), ignored: judged.ignored };
};

const RUNNER = set("evil", "scripts", "runners", ".sh");
const FOLDERS = set(["/"], "scripts", "folders");
const HARMLESS = [
  set(5, "matching", "max_results"),
  set(9, "scripts", "timeout_seconds"),
  set(false, "scripts", "enabled"),
  set("required", "scripts", "sandbox"),
  set(9, "assets", "max_size_bytes"),
];

test("what cannot hurt the operator counts", () => {
  expect(judge(false, ...HARMLESS)).toEqual({
    counted: HARMLESS.map(({ parts }) => keyPath(parts)),
    ignored: undefined,
  });
});

test.each([
  ["scripts.runners", RUNNER],
  ["scripts.sandbox", set("off", "scripts", "sandbox")],
  ["scripts.sandbox", set("preferred", "scripts", "sandbox")],
  ["analytics.enabled", set(true, "analytics", "enabled")],
  ["analytics.endpoint", set("https://example.com", "analytics", "endpoint")],
  ["analytics.context", set("full", "analytics", "context")],
  ["analytics.history", set(false, "analytics", "history")],
])("%s is ignored with one line, unless the operator trusts the library", (key, setting) => {
  expect(judge(false, setting, ...HARMLESS)).toEqual({
    counted: HARMLESS.map(({ parts }) => keyPath(parts)),
    ignored: `/repo/config.yaml: ${key} was ignored, because the library comes from git; set it in /own.yaml, or trust the library with SKILLS_TRUST_CONFIG=1.`,
  });
  expect(judge(true, setting)).toEqual({ counted: [keyPath(setting.parts)], ignored: undefined });
});

test.each([true, false])(
  "the folders of this machine are never a repository's to name (trusted: %j)",
  (trusted) => {
    expect(judge(trusted, FOLDERS)).toEqual({
      counted: [],
      ignored:
        "/repo/config.yaml: scripts.folders was ignored, because the library comes from git; set it in /own.yaml.",
    });
  },
);

test("one line names everything that was ignored, each key once", () => {
  const endpoint = set("https://example.com", "analytics", "endpoint");
  expect(judge(false, RUNNER, set("evil", "scripts", "runners", ".py"), endpoint).ignored).toBe(
    "/repo/config.yaml: scripts.runners, analytics.endpoint were ignored, because the library comes from git; set them in /own.yaml, or trust the library with SKILLS_TRUST_CONFIG=1.",
  );
});
