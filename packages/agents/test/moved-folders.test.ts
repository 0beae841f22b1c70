import { expect, test } from "vitest";
import { movedFolders, userFolder } from "../src/folders.ts";

test.each<[string, Record<string, string>, Record<string, string>]>([
  ["nothing without variables", {}, {}],
  ["Claude's folder", { CLAUDE_CONFIG_DIR: "/c" }, { ".claude": "/c" }],
  ["Codex's folder", { CODEX_HOME: "/c/" }, { ".codex": "/c" }],
  ["the folder of settings", { XDG_CONFIG_HOME: "/x/../y" }, { ".config": "/y" }],
  ["several", { CODEX_HOME: "/a", COPILOT_HOME: "/b" }, { ".codex": "/a", ".copilot": "/b" }],
  ["nothing for an empty value", { CODEX_HOME: "", CLAUDE_CONFIG_DIR: "  " }, {}],
  ["nothing for a relative value", { CODEX_HOME: "codex", XDG_CONFIG_HOME: "./x", VIBE_HOME: "~/v" }, {}],
  ["nothing for a value with a NUL", { CODEX_HOME: "/a\0b" }, {}],
])("movedFolders: the environment moves %s", (_case, environment, moved) => {
  expect(movedFolders(environment)).toEqual(moved);
});

test.each([
  [".claude/skills", "/c/skills"],
  [".config/goose/skills", "/h/.config/goose/skills"],
  [".claude", "/c"],
  [".claude-other/skills", "/h/.claude-other/skills"],
])("userFolder: %s is %s where .claude was moved to /c", (folder, dir) => {
  expect(userFolder(folder, "/h", { ".claude": "/c" })).toBe(dir);
});
