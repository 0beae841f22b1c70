import { describe, expect, test } from "vitest";
import { agent as codex } from "../../src/agents/codex.ts";
import { agent as geminiCli } from "../../src/agents/gemini-cli.ts";
import { planPluginFolders } from "../../src/folders.ts";

const PLAN = planPluginFolders({
  cwd: "/shop/src",
  projects: ["/shop/src", "/shop"],
  home: "/h",
  moved: { ".codex": "/codex" },
});
test("plugin folders: in each project and in the folders of agents, wherever these were moved", () => {
  expect(PLAN.map(({ provider, dir }) => [provider, dir])).toEqual([
    ["agents", "/shop/src/.agents/plugins"],
    ["agents", "/shop/.agents/plugins"],
    ["agents", "/h/.agents/plugins"],
    ["codex", "/codex/plugins/cache"],
    ["copilot", "/h/.copilot/installed-plugins"],
    ["gemini", "/h/.gemini/extensions"],
  ]);
});

describe("version of a plugin that Codex loads", () => {
  test.each<[readonly string[], string | undefined]>([
    [[], undefined],
    [["1.0.0"], "1.0.0"],
    [["1.9.0", "1.10.0", "1.2.0"], "1.10.0"],
    [["2.0.0", "local", "3.0.0"], "local"],
    [["1.0.0", "1.0.0-rc.1"], "1.0.0"],
    [["1.0.0-rc.2", "1.0.0-rc.10"], "1.0.0-rc.10"],
    [["1.0.0-beta", "1.0.0-9"], "1.0.0-beta"],
    [["1.0.0-a", "1.0.0-a.1"], "1.0.0-a.1"],
    [["0d1f", "9c2e"], "9c2e"],
    [["1.0.0", "not a version"], "1.0.0"],
    [["not a version"], undefined],
  ])("of %j is %s", (versions, active) => {
    expect(codex.plugins?.activeVersion?.(versions)).toBe(active);
    expect(codex.plugins?.activeVersion?.(versions.toReversed())).toBe(active);
  });
});

describe("plugins that Codex's config.toml turns off", () => {
  test.each<[string, string, readonly string[]]>([
    ["nothing", "", []],
    ["a plugin", '[plugins."a@m"]\nenabled = false\n', ["a@m"]],
    [
      "one of two",
      '[plugins."a@m"]\nenabled = true\n[plugins."b@m"]\r\n  enabled=false # later\r\n',
      ["b@m"],
    ],
    ["other quotes", "[plugins.'a@m']\nenabled = false", ["a@m"]],
    ["no quotes", "[plugins.a]\nenabled = false", ["a"]],
    ["a server of a plugin is not the plugin", '[plugins."a@m".mcp_servers.x]\nenabled = false', []],
    ["another table", '[plugins."a@m"]\n[mcp_servers.x]\nenabled = false', []],
    ["text that only looks like it", 'x = "[plugins.a]"\nenabled = false', []],
  ])("%s", (_case, text, off) => {
    const howToEnable = codex.plugins?.settings?.howToEnable(text);
    const ids = ["a@m", "b@m", "a"].filter((id) => howToEnable?.({ id, name: id }, "/") !== undefined);
    expect(ids).toEqual(off);
  });
});

describe("whether Gemini CLI enables an extension", () => {
  test.each<[string, unknown, boolean]>([
    ["it does unless told otherwise", {}, true],
    ["another extension's rules", { other: { overrides: ["!/*"] } }, true],
    ["turned off everywhere", { ext: { overrides: ["!/*"] } }, false],
    ["turned off in a folder above", { ext: { overrides: ["!/shop/*"] } }, false],
    ["turned off in this folder", { ext: { overrides: ["!/shop/src/"] } }, false],
    ["turned off in the folder above, without those below", { ext: { overrides: ["!/shop/"] } }, true],
    ["the last rule wins", { ext: { overrides: ["!/*", "/shop/*"] } }, true],
    ["rules that are none", { ext: { overrides: [1, null] } }, true],
    ["a list that is none", { ext: { overrides: "!/*" } }, true],
    ["settings that are none", [], true],
    ["no settings", undefined, true],
  ])("%s", (_case, enablement, enabled) => {
    const howToEnable = geminiCli.plugins?.settings?.howToEnable(enablement);
    const expected = enabled ? undefined : "Run `gemini extensions enable ext` to serve its skills.";
    expect(howToEnable?.({ id: "ext", name: "ext" }, "/shop/src")).toBe(expected);
  });
});
