import path from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import { configFile, isInstalled, type Surroundings } from "../../src/connect/surroundings.ts";
import { targetOf } from "./target-of.ts";

function surroundings(
  sandbox: Sandbox,
  environment: Surroundings["environment"] = {},
  platform = "linux",
): Surroundings {
  const { home, project } = sandbox;
  return { platform, environment, home, cwd: project, ownFolder: path.join(home, ".skills-mcp"), own: [] };
}

describe("configuration file", () => {
  test.each([
    ["claude-code", "linux", ".claude.json"],
    ["vscode", "linux", ".config/Code/User/mcp.json"],
    ["vscode", "darwin", "Library/Application Support/Code/User/mcp.json"],
    ["vscode", "win32", "AppData/Roaming/Code/User/mcp.json"],
    ["claude-desktop", "darwin", "Library/Application Support/Claude/claude_desktop_config.json"],
    ["zed", "darwin", ".config/zed/settings.json"],
    ["zed", "win32", "AppData/Roaming/Zed/settings.json"],
    ["goose", "linux", ".config/goose/config.yaml"],
    ["goose", "win32", "AppData/Roaming/Block/goose/config/config.yaml"],
    ["nanocoder", "darwin", "Library/Preferences/nanocoder/.mcp.json"],
    ["opencode", "win32", ".config/opencode/opencode.json"],
  ])("of %s on %s is ~/%s", async (id, platform, expected) => {
    const sandbox = createSandbox();
    const file = await configFile(targetOf(id), "user", surroundings(sandbox, {}, platform));
    expect(file).toBe(path.join(sandbox.home, expected));
  });

  test.each([
    ["claude-code", "CLAUDE_CONFIG_DIR", ".claude.json"],
    ["codex", "CODEX_HOME", "config.toml"],
    ["copilot-cli", "COPILOT_HOME", "mcp-config.json"],
    ["gemini-cli", "GEMINI_CLI_HOME", ".gemini/settings.json"],
    ["qwen-code", "QWEN_HOME", "settings.json"],
    ["opencode", "XDG_CONFIG_HOME", "opencode/opencode.json"],
    ["vscode", "XDG_CONFIG_HOME", "Code/User/mcp.json"],
    ["amp", "AMP_SETTINGS_FILE", ""],
  ])("of %s is moved by %s, unless that is empty or relative", async (id, variable, expected) => {
    const sandbox = createSandbox();
    const moved = sandbox.path("moved");
    const file = (value: string) =>
      configFile(targetOf(id), "user", surroundings(sandbox, { [variable]: value }));
    expect(await file(moved)).toBe(path.join(moved, expected));
    expect(await file("relative")).toBe(await file(""));
  });

  test("of several, the one that exists counts", async () => {
    const sandbox = createSandbox();
    const here = surroundings(sandbox);
    const expected = sandbox.write("home/.config/opencode/opencode.jsonc", "{}");
    expect(await configFile(targetOf("opencode"), "user", here)).toBe(expected);
    expect(await configFile(targetOf("opencode"), "project", here)).toBe(
      sandbox.path("project/opencode.json"),
    );
    expect(await configFile(targetOf("windsurf"), "project", here)).toBeUndefined();
  });
});

test("isInstalled: an agent is, if its folder or its program exists", async () => {
  const sandbox = createSandbox();
  const bin = path.dirname(sandbox.write("bin/gemini", ""));
  sandbox.write("home/.cursor/x", "");
  const here = surroundings(sandbox, { PATH: ["relative", bin].join(path.delimiter) });
  expect(await isInstalled(targetOf("cursor"), here)).toBe(true);
  expect(await isInstalled(targetOf("gemini-cli"), here)).toBe(true);
  expect(await isInstalled(targetOf("codex"), here)).toBe(false);
  expect(await isInstalled(targetOf("codex"), surroundings(sandbox, { CODEX_HOME: bin }))).toBe(true);
});
