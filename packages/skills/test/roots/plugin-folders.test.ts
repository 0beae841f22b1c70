import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { planPluginFolders } from "#agents";
import { POOLED_DISK } from "#util";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import { findPlugins } from "../../src/roots/plugin-folders.ts";

const SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";
const CACHE = "home/.codex/plugins/cache";
const EXTENSIONS = "home/.gemini/extensions";

async function find(sandbox: Sandbox, onFolder?: (dir: string) => void) {
  const { project: cwd, home } = sandbox;
  const folders = planPluginFolders({ cwd, projects: [cwd], home, moved: {} });
  const found = await findPlugins(folders, { disk: POOLED_DISK, onFolder });
  return { ...found, served: found.roots.map(({ provider, plugin, dir }) => [provider, plugin, dir]) };
}

test("without plugins there is nothing but places to wait for", async () => {
  const sandbox = createSandbox();
  const { roots, off, diagnostics, folders, awaited } = await find(sandbox);
  expect([roots, off, diagnostics, folders]).toEqual([[], [], [], []]);
  expect(awaited).toContain(sandbox.path("home/.agents/plugins"));
  expect(awaited).toContain(sandbox.path("home/.codex/plugins/cache"));
});

test("a Codex plugin is served in its newest version, with the name of its marketplace", async () => {
  const sandbox = createSandbox();
  sandbox.skill(`${CACHE}/market/tools/1.2.0/skills/old`);
  sandbox.skill(`${CACHE}/market/tools/1.10.0/skills/new`);
  sandbox.write(`${CACHE}/market/notes.txt`, "");
  const { served, roots, diagnostics, folders } = await find(sandbox);
  const plugin = { name: "tools", marketplace: "market" };
  expect(served).toEqual([["codex", plugin, sandbox.path(`${CACHE}/market/tools/1.10.0/skills`)]]);
  expect(roots[0]).toMatchObject({ location: "plugin", named: false });
  expect(diagnostics).toEqual([]);
  expect(folders).toEqual(["", "/market", "/market/tools"].map((below) => sandbox.path(`${CACHE}${below}`)));
});

test("a manifest may name other folders, and a broken one is one diagnostic that costs nothing else", async () => {
  const sandbox = createSandbox();
  const write = (plugin: string, text: string) =>
    sandbox.write(`${CACHE}/m/${plugin}/1.0.0/.codex-plugin/plugin.json`, text);
  write("good", JSON.stringify({ name: "good", skills: ["./a", "./b"] }));
  const broken = write("broken", "{");
  const escaping = write("escaping", JSON.stringify({ skills: "../../../.." }));
  const { served, diagnostics } = await find(sandbox);
  expect(served.map(([, , dir]) => dir)).toEqual(
    ["a", "b"].map((folder) => sandbox.path(`${CACHE}/m/good/1.0.0/${folder}`)),
  );
  expect(diagnostics.map(({ file }) => file)).toEqual([broken, escaping]);
});

test("a plugin that Codex's settings turn off is left out, and is known to be off", async () => {
  const sandbox = createSandbox();
  for (const name of ["on", "off"]) sandbox.skill(`${CACHE}/m/${name}/1.0.0/skills/x`);
  const config = sandbox.write("home/.codex/config.toml", '[plugins."off@m"]\nenabled = false\n');
  const { served, off, awaited } = await find(sandbox);
  expect(served.map(([, plugin]) => plugin)).toEqual([{ name: "on", marketplace: "m" }]);
  expect(off).toMatchObject([{ plugin: { name: "off" }, provider: "codex", by: config }]);
  expect(awaited).toContain(config);
});

test("a Copilot plugin has its marketplace's name, or without one the name in its manifest", async () => {
  const sandbox = createSandbox();
  const folder = "home/.copilot/installed-plugins";
  sandbox.skill(`${folder}/market/tools/skills/x`);
  sandbox.skill(`${folder}/_direct/owner--repo/skills/x`);
  sandbox.write(`${folder}/_direct/owner--repo/.github/plugin/plugin.json`, '{"name": "direct"}');
  const { served } = await find(sandbox);
  expect(served).toEqual([
    ["copilot", { name: "direct" }, sandbox.path(`${folder}/_direct/owner--repo/skills`)],
    ["copilot", { name: "tools", marketplace: "market" }, sandbox.path(`${folder}/market/tools/skills`)],
  ]);
});

test("a Gemini extension may be linked, and may be turned off for the working directory", async () => {
  const sandbox = createSandbox();
  sandbox.write(`${EXTENSIONS}/plain/gemini-extension.json`, '{"name": "plain"}');
  sandbox.write("elsewhere/gemini-extension.json", '{"name": "linked"}');
  const link = JSON.stringify({ type: "link", source: sandbox.path("elsewhere") });
  sandbox.write(`${EXTENSIONS}/linked/.gemini-extension-install.json`, link);
  sandbox.write(`${EXTENSIONS}/off/gemini-extension.json`, '{"name": "off"}');
  const rules = JSON.stringify({ off: { overrides: [`!${sandbox.project}/*`] } });
  sandbox.write(`${EXTENSIONS}/extension-enablement.json`, rules);
  const { served, off, diagnostics } = await find(sandbox);
  expect(served).toEqual([
    ["gemini", { name: "linked" }, sandbox.path("elsewhere/skills")],
    ["gemini", { name: "plain" }, sandbox.path(`${EXTENSIONS}/plain/skills`)],
  ]);
  expect(off.map(({ plugin }) => plugin.name)).toEqual(["off"]);
  expect(diagnostics).toEqual([]);
});

test("an Agent Plugin needs its manifest; the project's come before the user's", async () => {
  const sandbox = createSandbox();
  const manifest = JSON.stringify({ $schema: SCHEMA, name: "acme.tools" });
  for (const place of ["home", "project"]) sandbox.write(`${place}/.agents/plugins/x/plugin.json`, manifest);
  sandbox.skill("project/.agents/plugins/bare/skills/a");
  sandbox.write("project/.agents/plugins/marketplace.json", "{}");
  const { served, diagnostics } = await find(sandbox);
  expect(served.map(([, plugin, dir]) => [plugin, dir])).toEqual([
    [{ name: "acme.tools" }, sandbox.path("project/.agents/plugins/x/skills")],
    [{ name: "acme.tools" }, sandbox.path("home/.agents/plugins/x/skills")],
  ]);
  const file = sandbox.path("project/.agents/plugins/bare/plugin.json");
  expect(diagnostics).toMatchObject([{ severity: "error", code: "plugin-entry", file }]);
});

test("links lead to plugins; loops, empty folders and files in their place end nothing", async () => {
  const sandbox = createSandbox();
  sandbox.skill("elsewhere/skills/x");
  mkdirSync(sandbox.path(`${EXTENSIONS}/empty`), { recursive: true });
  symlinkSync(sandbox.path("elsewhere"), sandbox.path(`${EXTENSIONS}/by-link`));
  symlinkSync("loop", sandbox.path(`${EXTENSIONS}/loop`));
  symlinkSync("nowhere", sandbox.path(`${EXTENSIONS}/broken`));
  mkdirSync(sandbox.path(`${EXTENSIONS}/odd/gemini-extension.json`), { recursive: true });
  sandbox.write("home/.copilot/installed-plugins", "a file");
  const { served, diagnostics } = await find(sandbox);
  expect(served.map(([, plugin]) => plugin)).toEqual([{ name: "by-link" }]);
  expect(diagnostics.map(({ file }) => file)).toEqual([
    sandbox.path(`${EXTENSIONS}/empty`),
    sandbox.path(`${EXTENSIONS}/odd/gemini-extension.json`),
  ]);
});

test.skipIf(process.getuid?.() === 0)("a folder that cannot be read is one diagnostic", async () => {
  const sandbox = createSandbox();
  mkdirSync(sandbox.path(EXTENSIONS), { recursive: true });
  chmodSync(sandbox.path(EXTENSIONS), 0);
  const { diagnostics } = await find(sandbox);
  chmodSync(sandbox.path(EXTENSIONS), 0o755);
  expect(diagnostics).toMatchObject([{ code: "plugin-entry", file: sandbox.path(EXTENSIONS) }]);
});

test("every folder is reported before it is listed, so that a watcher misses nothing", async () => {
  const sandbox = createSandbox();
  sandbox.skill(`${CACHE}/m/p/1.0.0/skills/x`);
  const reported: string[] = [];
  const { folders } = await find(sandbox, (dir) => reported.push(dir));
  for (const folder of folders) expect(reported).toContain(folder);
});
