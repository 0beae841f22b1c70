import { describe, expect, test } from "vitest";
import { planRoots, type RootOptions } from "../../src/roots/roots.ts";

const plan = (options: Partial<RootOptions> = {}) =>
  planRoots({ cwd: "/shop", home: "/home/me", skillDirs: [], defaultDirs: true, ...options });

describe("the folders that are searched", () => {
  test("the default folders stand in the order of the contract", () => {
    const wanted = [
      "/shop/.agents/skills",
      "/shop/.agent/skills",
      "/home/me/.agents/skills",
      "/home/me/.agent/skills",
      "/shop/.claude/skills",
      "/home/me/.claude/skills",
      "/shop/.codex/skills",
      "/home/me/.codex/skills",
    ];
    const dirs = plan().map((root) => root.dir);
    expect(dirs.filter((dir) => wanted.includes(dir))).toEqual(wanted);
    // Between them only more folders of `agents`, after them the other agents.
    const others = dirs
      .slice(0, dirs.indexOf("/home/me/.codex/skills"))
      .filter((dir) => !wanted.includes(dir));
    expect(others).toEqual(["/home/me/.config/agents/skills"]);
  });

  test.each([
    ["/shop/.agents/skills", "agents", "project"],
    ["/home/me/.agent/skills", "agents", "user"],
    ["/shop/.claude/skills", "claude", "project"],
    ["/home/me/.claude/skills", "claude", "user"],
    ["/shop/.codex/skills", "codex", "project"],
    ["/shop/.cursor/skills", "cursor", "project"],
    ["/home/me/.gemini/skills", "gemini", "user"],
    ["/shop/.opencode/skills", "opencode", "project"],
    ["/shop/.github/skills", "copilot", "project"],
  ])("%s belongs to %s, location %s", (dir, provider, location) => {
    expect(plan().find((root) => root.dir === dir)).toEqual({ dir, provider, location, named: false });
  });

  test("no folder is planned twice, and all of an agent's folders stand together", () => {
    const roots = plan();
    expect(new Set(roots.map((root) => root.dir)).size).toBe(roots.length);
    const providers = roots.map((root) => root.provider);
    const runs = providers.filter((provider, index) => provider !== providers[index - 1]);
    expect(new Set(runs).size).toBe(runs.length);
  });

  test("named folders come first, in their order, as provider file", () => {
    const roots = plan({ skillDirs: ["/srv/skills", "mine", "./.claude/skills"] });
    expect(roots.slice(0, 4)).toEqual([
      { dir: "/srv/skills", provider: "file", location: "user", named: true },
      { dir: "/shop/mine", provider: "file", location: "project", named: true },
      { dir: "/shop/.claude/skills", provider: "file", location: "project", named: true },
      { dir: "/shop/.agents/skills", provider: "agents", location: "project", named: false },
    ]);
  });

  test("without default folders only the named ones are searched", () => {
    expect(plan({ skillDirs: ["a"], defaultDirs: false }).map((root) => root.dir)).toEqual(["/shop/a"]);
    expect(plan({ defaultDirs: false })).toEqual([]);
  });

  test.each([
    ["~/skills", "/home/me/skills", "user"],
    ["~", "/home/me", "user"],
    [".", "/shop", "project"],
    ["..", "/", "user"],
    ["../workshop", "/workshop", "user"],
    ["a/../b/", "/shop/b", "project"],
    ["..skills", "/shop/..skills", "project"],
  ])("the named folder %s is %s, location %s", (given, dir, location) => {
    expect(plan({ skillDirs: [given], defaultDirs: false })).toMatchObject([{ dir, location }]);
  });
});

test("a folder that is the project's and the user's is searched once, and is the project's", () => {
  const roots = plan({ cwd: "/home/me", home: "/home/me" });
  expect(roots.filter(({ dir }) => dir === "/home/me/.claude/skills")).toEqual([
    { dir: "/home/me/.claude/skills", provider: "claude", location: "project", named: false },
  ]);
  expect(new Set(roots.map(({ dir, provider }) => `${provider} ${dir}`)).size).toBe(roots.length);
});

test("a named folder that is an agent's is searched for both, because its skills answer to both names", () => {
  const roots = plan({ skillDirs: [".claude/skills", ".claude/skills"] });
  const providers = roots.filter(({ dir }) => dir === "/shop/.claude/skills").map(({ provider }) => provider);
  expect(providers).toEqual(["file", "claude"]);
});

describe("folders beyond the working directory and the home folder", () => {
  const ofProvider = (provider: string, options: Partial<RootOptions>) =>
    plan(options)
      .filter((root) => root.provider === provider)
      .map(({ dir, location }) => [dir, location]);

  test("each project folder is searched for every agent, nearer ones first", () => {
    const projects = ["/shop/src", "/shop"];
    expect(ofProvider("agents", { cwd: "/shop/src", projects }).slice(0, 4)).toEqual([
      ["/shop/src/.agents/skills", "project"],
      ["/shop/src/.agent/skills", "project"],
      ["/shop/.agents/skills", "project"],
      ["/shop/.agent/skills", "project"],
    ]);
    expect(ofProvider("copilot", { cwd: "/shop/src", projects })).toEqual([
      ["/shop/src/.github/skills", "project"],
      ["/shop/.github/skills", "project"],
      ["/home/me/.copilot/skills", "user"],
    ]);
  });

  test.each<[NodeJS.Platform, string, string]>([
    ["linux", "/etc/claude-code/.claude/skills", "/etc/codex/skills"],
    ["freebsd", "/etc/claude-code/.claude/skills", "/etc/codex/skills"],
    ["darwin", "/Library/Application Support/ClaudeCode/.claude/skills", "/etc/codex/skills"],
    ["win32", "C:\\Program Files\\ClaudeCode\\.claude\\skills", "C:\\ProgramData\\OpenAI\\Codex\\skills"],
  ])("an administrator's folders on %s come last of their agent", (platform, claude, codex) => {
    const system = { platform };
    expect(ofProvider("claude", { system }).at(-1)).toEqual([claude, "user"]);
    expect(ofProvider("codex", { system })).toEqual([
      ["/shop/.codex/skills", "project"],
      ["/home/me/.codex/skills", "user"],
      [codex, "user"],
    ]);
    expect(ofProvider("cursor", { system })).toHaveLength(2);
  });

  test("an administrator's folders can be those of another file system", () => {
    const system = { platform: "linux", base: "/image" } as const;
    expect(ofProvider("codex", { system }).at(-1)).toEqual(["/image/etc/codex/skills", "user"]);
  });

  test("a moved folder is searched instead of the one in the home folder, never beside a project's", () => {
    const moved = { ".claude": "/moved/claude", ".config": "/moved/config" };
    expect(ofProvider("claude", { moved })).toEqual([
      ["/shop/.claude/skills", "project"],
      ["/moved/claude/skills", "user"],
    ]);
    expect(ofProvider("goose", { moved }).at(-1)).toEqual(["/moved/config/goose/skills", "user"]);
  });
});
