import { describe, expect, test } from "vitest";
import { parseManifest } from "#skills";
import { isEnabledFor, offInToml } from "../../skills/src/roots/plugin-disabling.ts";
import { activeVersion, planPluginFolders } from "../src/plugin-kinds.ts";

const PLAN = planPluginFolders({
  cwd: "/shop/src",
  projects: ["/shop/src", "/shop"],
  home: "/h",
  moved: { ".codex": "/codex" },
});
const kindOf = (provider: string) => {
  const found = PLAN.find(({ kind }) => kind.provider === provider);
  if (found === undefined) throw new Error(provider);
  return found.kind;
};

test("plugins lie in each project folder and in the folders of their agents, wherever these were moved", () => {
  expect(PLAN.map(({ kind, dir }) => [kind.provider, dir])).toEqual([
    ["agents", "/shop/src/.agents/plugins"],
    ["agents", "/shop/.agents/plugins"],
    ["agents", "/h/.agents/plugins"],
    ["codex", "/codex/plugins/cache"],
    ["copilot", "/h/.copilot/installed-plugins"],
    ["gemini", "/h/.gemini/extensions"],
  ]);
});

describe("the version that Codex loads", () => {
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
    expect(activeVersion(versions)).toBe(active);
    expect(activeVersion(versions.toReversed())).toBe(active);
  });
});

describe("what Codex's config.toml turns off", () => {
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
    expect([...offInToml(text)]).toEqual(off);
  });
});

describe("whether Gemini enables an extension", () => {
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
    expect(isEnabledFor(enablement, "ext", "/shop/src")).toBe(enabled);
  });
});

describe("a plugin's manifest", () => {
  const SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";

  test.each<[string, string, unknown, object]>([
    ["copilot", "its name", { name: "p" }, { name: "p", skills: ["skills"] }],
    ["copilot", "no name", {}, { skills: ["skills"] }],
    ["copilot", "another folder", { skills: "./more" }, { skills: ["./more"] }],
    ["codex", "several folders", { skills: ["./a", "b/c/"] }, { skills: ["./a", "b/c/"] }],
    ["codex", "the plugin itself", { skills: "./" }, { skills: ["./"] }],
    ["gemini", "folders, which only others may name", { skills: "./more" }, { skills: ["skills"] }],
    ["agents", "an Agent Plugin", { $schema: SCHEMA, name: "a.b-c" }, { name: "a.b-c", skills: ["skills"] }],
    [
      "agents",
      "folders, which are fixed",
      { $schema: SCHEMA, name: "a", skills: "x" },
      { skills: ["skills"] },
    ],
  ])("of %s with %s", (provider, _case, value, manifest) => {
    const parsed = parseManifest(value, kindOf(provider));
    expect(parsed).toMatchObject(manifest);
    expect(parsed.problem).toBeUndefined();
  });

  test.each<[string, unknown, RegExp]>([
    ["codex", [], /not a JSON object/],
    ["codex", null, /not a JSON object/],
    ["codex", { skills: "../elsewhere" }, /`skills`/],
    ["codex", { skills: "/etc" }, /`skills`/],
    ["codex", { skills: ["ok", 7] }, /`skills`/],
    ["copilot", { skills: "a\0b" }, /`skills`/],
    ["copilot", { skills: {} }, /`skills`/],
    ["agents", { name: "a" }, /`\$schema`/],
    ["agents", { $schema: SCHEMA.replace("1.0.0", "2.0.0"), name: "a" }, /`\$schema`/],
    ["agents", { $schema: SCHEMA }, /`name`/],
    ["agents", { $schema: SCHEMA, name: "A" }, /`name`/],
    ["agents", { $schema: SCHEMA, name: "a--b" }, /`name`/],
    ["agents", { $schema: SCHEMA, name: "-a" }, /`name`/],
    ["agents", { $schema: SCHEMA, name: "a".repeat(65) }, /`name`/],
  ])("of %s that is %j is refused", (provider, value, reason) => {
    expect(parseManifest(value, kindOf(provider)).problem).toMatch(reason);
  });
});
