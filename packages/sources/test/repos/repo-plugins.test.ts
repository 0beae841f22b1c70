import { expect, test } from "vitest";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { findRepoPlugins } from "../../src/repos/repo-plugins.ts";
import { createRepoTree } from "../../src/repos/repo-tree.ts";

async function pluginsIn(files: Readonly<Record<string, unknown>>) {
  const sandbox = createSandbox();
  for (const [file, content] of Object.entries(files))
    sandbox.write(`repo/${file}`, typeof content === "string" ? content : JSON.stringify(content));
  const tree = createRepoTree(sandbox.path("repo"), Object.keys(files), "");
  const { plugins, diagnostics } = await findRepoPlugins(tree);
  return { plugins, told: diagnostics.map(({ message }) => message) };
}

const CLAUDE = ".claude-plugin/marketplace.json";
const CODEX = ".agents/plugins/marketplace.json";
const SKILL = { "tools/skills/a/SKILL.md": "", "tools/b.txt": "" };

test.each([
  [
    "Claude's marketplace with a root for its plugins",
    { [CLAUDE]: { name: "shop", metadata: { pluginRoot: "./" }, plugins: [{ name: "t", source: "tools" }] } },
    [{ plugin: { name: "t", marketplace: "shop" }, dir: "tools" }],
  ],
  [
    "Codex's marketplace",
    { [CODEX]: { plugins: [{ name: "t", source: { source: "local", path: "./tools" } }] } },
    [{ plugin: { name: "t" }, dir: "tools" }],
  ],
  [
    "the same plugin in two marketplaces and with a manifest, once",
    {
      [CLAUDE]: { name: "shop", plugins: [{ name: "t", source: "./tools" }] },
      [CODEX]: { plugins: [{ name: "t2", source: { source: "local", path: "./tools" } }] },
      "tools/.claude-plugin/plugin.json": { name: "t3" },
    },
    [{ plugin: { name: "t", marketplace: "shop" }, dir: "tools" }],
  ],
  [
    "a manifest of Codex's plugins",
    { "tools/.codex-plugin/plugin.json": { name: "t" } },
    [{ plugin: { name: "t" }, dir: "tools" }],
  ],
  ["a plugin.json of something else", { "tools/plugin.json": { name: "t" } }, []],
  ["a broken plugin.json of something else", { "tools/plugin.json": "{" }, []],
  [
    "plugins of other repositories",
    {
      [CLAUDE]: {
        plugins: [
          { name: "a", source: { source: "github", repo: "o/r" } },
          { name: "b", source: "https://example.com/r.git" },
          { name: "c", source: "git@example.com:r.git" },
        ],
      },
    },
    [],
  ],
])("finds %s", async (_what, files, plugins) => {
  expect(await pluginsIn({ ...SKILL, ...files })).toEqual({ plugins, told: [] });
});

test.each([
  [{ [CLAUDE]: "{" }, /not valid JSON/],
  [{ [CLAUDE]: [] }, /no "plugins" list/],
  [{ [CLAUDE]: { plugins: {} } }, /no "plugins" list/],
  [{ [CLAUDE]: { plugins: ["x"] } }, /is no object/],
  [{ [CLAUDE]: { plugins: [{ source: "./tools" }] } }, /without a name/],
  [{ [CLAUDE]: { plugins: [{ name: "t", source: "../tools" }] } }, /'\.\.\/tools', which is no folder/],
  [{ [CLAUDE]: { plugins: [{ name: "t", source: "/etc" }] } }, /'\/etc', which is no folder/],
  [{ [CLAUDE]: { plugins: [{ name: "t", source: "./nowhere" }] } }, /which is no folder/],
  [{ "tools/.claude-plugin/plugin.json": "{" }, /not valid JSON/],
  [{ "tools/.claude-plugin/plugin.json": {} }, /no name that can be typed/],
])("a broken %j is one diagnostic, and no plugin", async (files, words) => {
  const { plugins, told } = await pluginsIn({ ...SKILL, ...files });
  expect(plugins).toEqual([]);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(words);
});

test("lists of skills stay inside the repository", async () => {
  const skills = ["./tools/skills/a", "../../etc", "/etc", 7, "./tools/nowhere"];
  const { plugins } = await pluginsIn({
    ...SKILL,
    [CLAUDE]: { plugins: [{ name: "t", source: "./", skills }] },
  });
  expect(plugins).toEqual([{ plugin: { name: "t" }, dir: "", listed: ["tools/skills/a"] }]);
});
