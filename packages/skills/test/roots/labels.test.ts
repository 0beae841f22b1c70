import { expect, test } from "vitest";
import { labelOf, type Root } from "../../src/roots/roots.ts";

const root = (provider: string, dir: string): Root => ({ dir, provider, location: "user", named: false });
const CODEX = root("codex", "/h/.codex/skills");
const CLAUDE = root("claude", "/h/.claude/skills");

test.each<[Root, string, string | undefined]>([
  [CODEX, "/h/.codex/skills/.system/imagegen", "Codex's own"],
  [CODEX, "/h/.codex/skills/.system/a/b", "Codex's own"],
  [CODEX, "/h/.codex/skills/.system", undefined],
  [CODEX, "/h/.codex/skills/.systems/a", undefined],
  [CODEX, "/h/.codex/skills/mine/.system/a", undefined],
  [CODEX, "/h/.codex/skills/synced/a/b", undefined],
  [CLAUDE, "/h/.claude/skills/synced/account/pdf", "synced from claude.ai"],
  [CLAUDE, "/h/.claude/skills/synced/pdf", undefined],
  [CLAUDE, "/h/.claude/skills/synced", undefined],
  [CLAUDE, "/h/.claude/skills/pdf", undefined],
  [{ ...CODEX, plugin: { name: "p" } }, "/h/.codex/skills/.system/a", undefined],
  [root("cursor", "/h/.cursor/skills"), "/h/.cursor/skills/.system/a", undefined],
])("%o: %s is %s", (of, dir, label) => {
  expect(labelOf(of, dir)).toBe(label);
});
