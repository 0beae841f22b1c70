import { mkdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import type { AppOptions } from "#server";
import { createApp } from "#server";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";

async function snapshotOf(sandbox: Sandbox, options: AppOptions = {}) {
  const { app, close } = createApp({ cwd: sandbox.project, userDir: sandbox.home, ...options });
  onTestFinished(close);
  return app.snapshot();
}

test.skipIf(process.platform === "win32")(
  "an administrator's skills are the user's, and come after the user's own",
  async () => {
    const sandbox = createSandbox();
    const claude =
      process.platform === "darwin" ? "Library/Application Support/ClaudeCode" : "etc/claude-code";
    sandbox.skill(`system/${claude}/.claude/skills/policy`);
    sandbox.skill(`system/${claude}/.claude/skills/pdf`, { description: "The administrator's." });
    sandbox.skill("system/etc/codex/skills/deploy");
    sandbox.skill("home/.claude/skills/pdf", { description: "My own." });
    const system = sandbox.path("system");
    const { catalog } = await snapshotOf(sandbox, { folders: { system } });
    expect(catalog.entries.map(({ skill }) => [skill.name, skill.provider, skill.location])).toEqual([
      ["deploy", "codex", "user"],
      ["pdf", "claude", "user"],
      ["policy", "claude", "user"],
    ]);
    const [, pdf] = catalog.entries;
    expect(pdf?.skill.description).toBe("My own.");
    expect(pdf?.shadowed).toHaveLength(1);
    const without = await snapshotOf(sandbox, { folders: { system, defaults: false } });
    expect(without.catalog.entries).toEqual([]);
  },
);

test("surroundings: names every place that decides which skills there are", async () => {
  const sandbox = createSandbox();
  mkdirSync(sandbox.path("project/.git"));
  mkdirSync(sandbox.path("project/src"));
  sandbox.skill("project/.claude/skills/pdf");
  sandbox.skill("home/.codex/plugins/cache/m/p/1.0.0/skills/x");
  const manifest = sandbox.write("home/.gemini/extensions/g/gemini-extension.json", "{}");
  const snapshot = await snapshotOf(sandbox, {
    cwd: sandbox.path("project/src"),
    folders: { moved: { ".claude": sandbox.path("moved") } },
  });
  const surroundings = new Set(snapshot.surroundings());
  const missing = [
    // A repository could begin here.
    "project/src/.git",
    "project/src/.agents",
    "project/.agents/plugins",
    "project/.claude/skills",
    "moved/skills",
    "moved/plugins/installed_plugins.json",
    "moved/settings.json",
    "home/.grok",
    // Another version would replace the one that is served.
    "home/.codex/plugins/cache/m/p",
    "home/.codex/plugins/cache/m",
    "home/.codex/plugins/cache",
    "home/.codex/config.toml",
    "home/.copilot/installed-plugins",
    "home/.gemini/extensions",
  ].filter((place) => !surroundings.has(sandbox.path(place)));
  expect(missing).toEqual([]);
  expect(surroundings).toContain(manifest);
  // Git changes this folder all the time.
  expect(surroundings).not.toContain(sandbox.path("project/.git"));
});
