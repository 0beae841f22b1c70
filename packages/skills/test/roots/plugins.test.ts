import { mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import {
  type PluginOptions,
  pluginRoots,
  pluginsTurnedOff,
  readPluginRoots,
} from "../../src/roots/plugins.ts";

const WHERE = { file: "/h/.claude/plugins/installed_plugins.json", root: "/h/.claude/plugins" };
const NONE: ReadonlySet<string> = new Set();

describe("pluginRoots", () => {
  test("an entry becomes a root of provider claude, with the plugin's name and marketplace", () => {
    const installed = { version: 2, plugins: { "docs@acme": { installPath: "/p/docs" } } };
    expect(pluginRoots(installed, WHERE, NONE)).toEqual({
      roots: [
        {
          dir: "/p/docs",
          provider: "claude",
          location: "plugin",
          plugin: { name: "docs", marketplace: "acme" },
          named: true,
        },
      ],
      diagnostics: [],
    });
  });

  test.each([
    ["docs@acme", { name: "docs", marketplace: "acme" }],
    ["docs", { name: "docs" }],
    ["docs@", { name: "docs" }],
    ["@scope/docs@acme", { name: "@scope-docs", marketplace: "acme" }],
    ["a@b@c", { name: "a@b", marketplace: "c" }],
    ["__proto__@acme", { name: "__proto__", marketplace: "acme" }],
  ])("the key %s is the plugin %o", (key, plugin) => {
    const { roots, diagnostics } = pluginRoots({ plugins: { [key]: { installPath: "/p" } } }, WHERE, NONE);
    expect(roots.map((root) => root.plugin)).toEqual([plugin]);
    expect(diagnostics).toEqual([]);
  });

  test.each([
    ["/abs/docs", "/abs/docs"],
    ["cache/acme/docs", "/h/.claude/plugins/cache/acme/docs"],
    ["./docs", "/h/.claude/plugins/docs"],
    ["../elsewhere", "/h/.claude/elsewhere"],
    ["/p/docs/", "/p/docs"],
  ])("the installPath %s is the folder %s", (installPath, dir) => {
    const { roots } = pluginRoots({ plugins: { "docs@acme": { installPath } } }, WHERE, NONE);
    expect(roots.map((root) => root.dir)).toEqual([dir]);
  });

  test("a list of entries gives a root each, in order, and so do several plugins", () => {
    const installed = {
      plugins: {
        "docs@acme": [
          { scope: "user", installPath: "/p/1" },
          { scope: "project", installPath: "/p/2" },
        ],
        "git@acme": { installPath: "/p/3", version: "1.0.0", unknown: true },
        "none@acme": [],
      },
    };
    const { roots, diagnostics } = pluginRoots(installed, WHERE, NONE);
    expect(roots.map((root) => [root.plugin?.name, root.dir])).toEqual([
      ["docs", "/p/1"],
      ["docs", "/p/2"],
      ["git", "/p/3"],
    ]);
    expect(diagnostics).toEqual([]);
  });

  test.each([
    ["no entry", null],
    ["a text", "/p/docs"],
    ["a number", 7],
    ["no installPath", { version: "1.0.0" }],
    ["an empty installPath", { installPath: "" }],
    ["an installPath that is no text", { installPath: ["/p"] }],
    ["a NUL in installPath", { installPath: "/p\0/etc" }],
    ["a list in a list", [[{ installPath: "/p" }]]],
  ])("%s is reported with the plugin's name, and the other plugins stay", (_case, entry) => {
    const installed = { plugins: { "bad@acme": entry, "good@acme": { installPath: "/p/good" } } };
    const { roots, diagnostics } = pluginRoots(installed, WHERE, NONE);
    expect(roots.map((root) => root.plugin?.name)).toEqual(["good"]);
    expect(diagnostics).toMatchObject([{ severity: "error", code: "plugin-entry", file: WHERE.file }]);
    expect(diagnostics[0]?.message).toContain("bad@acme");
  });

  test("of a list with one bad entry the good ones stay", () => {
    const installed = { plugins: { "docs@acme": [{}, { installPath: "/p/2" }] } };
    const { roots, diagnostics } = pluginRoots(installed, WHERE, NONE);
    expect(roots.map((root) => root.dir)).toEqual(["/p/2"]);
    expect(diagnostics).toHaveLength(1);
  });

  test.each(["", "@acme"])("the key %j has no name and is reported", (key) => {
    const { roots, diagnostics } = pluginRoots({ plugins: { [key]: { installPath: "/p" } } }, WHERE, NONE);
    expect(roots).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: "plugin-entry" }]);
  });

  test.each([
    ["null", null],
    ["a list", []],
    ["a text", "plugins"],
    ["an object without plugins", {}],
    ["plugins as a list", { plugins: [{ installPath: "/p" }] }],
    ["plugins as null", { plugins: null }],
  ])("a file that holds %s is reported", (_case, installed) => {
    const { roots, diagnostics } = pluginRoots(installed, WHERE, NONE);
    expect(roots).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: "error", code: "plugin-entry", file: WHERE.file }]);
  });

  test("no plugins at all is nothing to report", () => {
    expect(pluginRoots(undefined, WHERE, NONE)).toEqual({ roots: [], diagnostics: [] });
    expect(pluginRoots({ plugins: {} }, WHERE, NONE)).toEqual({ roots: [], diagnostics: [] });
  });

  test("a plugin that is turned off is left out without a word, even if its entry is broken", () => {
    const installed = {
      plugins: { "a@m": { installPath: "/p/a" }, "b@m": { installPath: "/p/b" }, "c@m": 1 },
    };
    const { roots, diagnostics } = pluginRoots(installed, WHERE, new Set(["a@m", "c@m"]));
    expect(roots.map((root) => root.plugin?.name)).toEqual(["b"]);
    expect(diagnostics).toEqual([]);
  });
});

describe("pluginsTurnedOff", () => {
  test.each<[string, unknown, string[]]>([
    ["false turns off, true does not, and the unlisted stay on (N8)", { "a@m": true, "c@m": false }, ["c@m"]],
    ["only a real false counts", { a: 0, b: null, c: "false", d: {}, e: [] }, []],
    ["nothing listed", {}, []],
    ["a list is no setting", ["a@m"], []],
    ["null is no setting", null, []],
    ["a text is no setting", "a@m", []],
  ])("%s", (_case, enabledPlugins, off) => {
    expect([...pluginsTurnedOff({ enabledPlugins })]).toEqual(off);
  });

  test.each([undefined, null, [], "x", 1, {}])("settings that are %j turn nothing off", (settings) => {
    expect([...pluginsTurnedOff(settings)]).toEqual([]);
  });
});

describe("readPluginRoots", () => {
  const optionsOf = (sandbox: Sandbox, named = false): PluginOptions => ({
    file: sandbox.path("home/.claude/plugins/installed_plugins.json"),
    root: sandbox.path("home/.claude/plugins"),
    settingsFile: sandbox.path("home/.claude/settings.json"),
    named,
  });
  const INSTALLED = JSON.stringify({
    version: 2,
    plugins: { "a@m": { installPath: "cache/a" }, "b@m": [{ installPath: "cache/b" }] },
  });
  const names = async (options: PluginOptions) =>
    (await readPluginRoots(options)).roots.map((root) => root.plugin?.name);

  test("the installed plugins are read, and a plugin that settings do not mention stays (N8)", async () => {
    const sandbox = createSandbox();
    sandbox.write("home/.claude/plugins/installed_plugins.json", INSTALLED);
    expect(await names(optionsOf(sandbox))).toEqual(["a", "b"]);
    sandbox.write("home/.claude/settings.json", JSON.stringify({ enabledPlugins: { "a@m": true } }));
    expect(await names(optionsOf(sandbox))).toEqual(["a", "b"]);
    sandbox.write("home/.claude/settings.json", JSON.stringify({ enabledPlugins: { "a@m": false } }));
    expect(await names(optionsOf(sandbox))).toEqual(["b"]);
  });

  test("a missing default file is silent; a missing named one is an error that names it", async () => {
    const sandbox = createSandbox();
    expect(await readPluginRoots(optionsOf(sandbox))).toEqual({ roots: [], off: [], diagnostics: [] });
    const { roots, diagnostics } = await readPluginRoots(optionsOf(sandbox, true));
    expect(roots).toEqual([]);
    expect(diagnostics).toMatchObject([
      { severity: "error", code: "plugins-file", file: optionsOf(sandbox).file },
    ]);
    expect(diagnostics[0]?.message).toContain("--plugins-file");
  });

  test.each(["", "{", "{'plugins': {}}", '{"plugins": {},}'])(
    "the broken JSON %j is one error",
    async (text) => {
      const sandbox = createSandbox();
      sandbox.write("home/.claude/plugins/installed_plugins.json", text);
      const { roots, diagnostics } = await readPluginRoots(optionsOf(sandbox));
      expect(roots).toEqual([]);
      expect(diagnostics).toMatchObject([{ severity: "error", code: "plugins-file" }]);
      expect(diagnostics[0]?.message).toContain("not valid JSON");
    },
  );

  test("broken settings are one error and turn nothing off", async () => {
    const sandbox = createSandbox();
    sandbox.write("home/.claude/plugins/installed_plugins.json", INSTALLED);
    const settings = sandbox.write("home/.claude/settings.json", '{"enabledPlugins": {"a@m": false}');
    const { roots, diagnostics } = await readPluginRoots(optionsOf(sandbox));
    expect(roots.map((root) => root.plugin?.name)).toEqual(["a", "b"]);
    expect(diagnostics).toMatchObject([{ severity: "error", code: "settings-file", file: settings }]);
  });

  test("a byte order mark and a linked file are read as people meant them", async () => {
    const sandbox = createSandbox();
    const dotfile = sandbox.write("dotfiles/plugins.json", `\uFEFF${INSTALLED}`);
    mkdirSync(sandbox.path("home/.claude/plugins"), { recursive: true });
    symlinkSync(dotfile, optionsOf(sandbox).file);
    expect(await names(optionsOf(sandbox))).toEqual(["a", "b"]);
  });

  test("a folder in the file's place is an error, not a crash", async () => {
    const sandbox = createSandbox();
    mkdirSync(optionsOf(sandbox).file, { recursive: true });
    const { roots, diagnostics } = await readPluginRoots(optionsOf(sandbox));
    expect(roots).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: "plugins-file" }]);
  });
});
