import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { resolvePlaces } from "#skills";
import { commandJson, runCommand } from "../../../test/support/in-process.ts";
import { createSandbox, DISK_FOLDER, type Sandbox, skillText } from "../../../test/support/sandbox.ts";
import { stalePlugins } from "../src/stale-plugins.ts";

const CLONE = "home/.claude/plugins/marketplaces/market";
const COPY = "home/.claude/plugins/cache/market/tools/1.0.0";

function stale(sandbox: Sandbox) {
  return stalePlugins(resolvePlaces({ cwd: sandbox.project, userDir: sandbox.home }));
}

/** A plugin of Claude Code with skills whose texts are given, and the marketplace that it was copied from. */
function install(
  sandbox: Sandbox,
  copy: Readonly<Record<string, string>>,
  clone: Readonly<Record<string, string>>,
  entry: object = {},
): void {
  const write = (base: string, skills: Readonly<Record<string, string>>) => {
    for (const [name, body] of Object.entries(skills))
      sandbox.write(`${base}/skills/${name}/SKILL.md`, skillText(name, "Does things.", body));
  };
  write(COPY, copy);
  write(`${CLONE}/tools`, clone);
  const plugins = { "tools@market": [{ scope: "user", installPath: sandbox.path(COPY), version: "1.0.0" }] };
  sandbox.write("home/.claude/plugins/installed_plugins.json", JSON.stringify({ version: 2, plugins }));
  known(sandbox, sandbox.path(CLONE));
  market(sandbox, { plugins: [{ name: "tools", source: "./tools", ...entry }] });
}

const known = (sandbox: Sandbox, installLocation: unknown) =>
  sandbox.write(
    "home/.claude/plugins/known_marketplaces.json",
    JSON.stringify({ market: { source: { source: "github", repo: "acme/market" }, installLocation } }),
  );
const market = (sandbox: Sandbox, value: object) =>
  sandbox.write(`${CLONE}/.claude-plugin/marketplace.json`, JSON.stringify({ name: "market", ...value }));

describe("a plugin of Claude Code whose marketplace was updated", () => {
  test("is named with the skills that differ, are new and are gone", async () => {
    const sandbox = createSandbox();
    install(sandbox, { pdf: "old", same: "x", gone: "x" }, { pdf: "new", same: "x", fresh: "x" });
    expect(await stale(sandbox)).toMatchObject([
      {
        plugin: "tools@market",
        provider: "claude",
        dir: sandbox.path(COPY),
        marketplace: sandbox.path(`${CLONE}/tools`),
        differs: ["pdf"],
        isNew: ["fresh"],
        isGone: ["gone"],
      },
    ]);
  });

  test("is said by doctor, outdated and the findings, with what to do", async () => {
    const sandbox = createSandbox();
    install(sandbox, { pdf: "old" }, { pdf: "new" });
    const said =
      "Plugin tools@market: the installed copy differs from its marketplace (changed: pdf). Install the plugin again";
    const doctor = await runCommand(sandbox, ["doctor"]);
    expect([doctor.code, doctor.stdout.replace(/\s+/g, " ")]).toEqual([0, expect.stringContaining(said)]);
    expect((await runCommand(sandbox, ["outdated"])).stdout).toContain(said);
    expect(await commandJson(sandbox, "outdated", "--json")).toMatchObject({
      plugins: [{ differs: ["pdf"] }],
    });
    expect(await commandJson(sandbox, "doctor", "--json")).toMatchObject({
      diagnostics: [{ code: "plugin-stale", severity: "warning", file: sandbox.path(COPY) }],
    });
    // A plugin that is not served is nobody's problem.
    expect(await commandJson(sandbox, "doctor", "--json", "--no-plugins")).toMatchObject({ diagnostics: [] });
  });

  test.each<[string, (sandbox: Sandbox) => void, readonly string[]]>([
    [
      "a changed file beside SKILL.md",
      (s) => s.write(`${CLONE}/tools/skills/pdf/references/a.md`, "b"),
      ["pdf"],
    ],
    [
      "a changed file of the same size",
      (s) => {
        s.write(`${CLONE}/tools/skills/pdf/a.txt`, "b");
        s.write(`${COPY}/skills/pdf/a.txt`, "c");
      },
      ["pdf"],
    ],
    ["what scripts left in the copy", (s) => s.write(`${COPY}/skills/pdf/__pycache__/x.pyc`, "x"), []],
    [
      "a skill that was disabled here",
      (s) => renameSync(s.path(COPY, "skills/pdf/SKILL.md"), s.path(COPY, "skills/pdf/.SKILL.md")),
      [],
    ],
    ["other files of the plugin", (s) => s.write(`${CLONE}/tools/commands/x.md`, "x"), []],
    [
      "installed packages of the clone",
      (s) => s.write(`${CLONE}/tools/skills/pdf/node_modules/x/i.js`, "x"),
      [],
    ],
    ["a file in a repository of the clone", (s) => s.write(`${CLONE}/tools/skills/pdf/.git/HEAD`, "x"), []],
  ])("%s", async (_, change, differs) => {
    const sandbox = createSandbox();
    install(sandbox, { pdf: "same" }, { pdf: "same" });
    change(sandbox);
    expect((await stale(sandbox)).flatMap((each) => each.differs)).toEqual(differs);
  });

  test("only the skills that its marketplace lists are compared", async () => {
    const sandbox = createSandbox();
    install(
      sandbox,
      { pdf: "old", other: "old" },
      { pdf: "new", other: "new" },
      { skills: ["./skills/other"] },
    );
    expect(await stale(sandbox)).toMatchObject([{ differs: ["other"], isNew: [], isGone: [] }]);
  });
});

describe("plugins of other agents", () => {
  test("Codex: the clone of its marketplace, for the version that is loaded", async () => {
    const sandbox = createSandbox();
    for (const version of ["1.2.0", "1.10.0"])
      sandbox.skill(`home/.codex/plugins/cache/market/tools/${version}/skills/pdf`, { body: version });
    const clone = "home/.codex/.tmp/marketplaces/market";
    const plugins = [{ name: "tools", source: { source: "local", path: "./plugins/tools" } }];
    sandbox.write(`${clone}/.agents/plugins/marketplace.json`, JSON.stringify({ name: "market", plugins }));
    sandbox.skill(`${clone}/plugins/tools/skills/pdf`, { body: "1.10.0" });
    expect(await stale(sandbox)).toEqual([]);
    sandbox.skill(`${clone}/plugins/tools/skills/pdf`, { body: "newer" });
    expect(await stale(sandbox)).toMatchObject([
      {
        provider: "codex",
        plugin: "tools@market",
        dir: sandbox.path("home/.codex/plugins/cache/market/tools/1.10.0"),
      },
    ]);
  });

  test.each([
    ["local", ["pdf"]],
    ["git", []],
  ])("Gemini CLI: an extension of type %s", async (type, differs) => {
    const sandbox = createSandbox();
    const copy = "home/.gemini/extensions/tools";
    sandbox.write(`${copy}/gemini-extension.json`, '{"name":"tools"}');
    const source = sandbox.path("work/tools");
    sandbox.write(`${copy}/.gemini-extension-install.json`, JSON.stringify({ type, source }));
    sandbox.skill(`${copy}/skills/pdf`, { body: "old" });
    sandbox.skill("work/tools/skills/pdf", { body: "new" });
    expect((await stale(sandbox)).flatMap((each) => each.differs)).toEqual(differs);
  });
});

describe("files of a marketplace that are not what they should be say nothing, and lead nowhere", () => {
  const OUT = "outside";
  const plugin = (source: unknown) => (sandbox: Sandbox) =>
    market(sandbox, { plugins: [{ name: "tools", source }] });
  test.each<[string, (sandbox: Sandbox) => void]>([
    ["a source that leads out", plugin(`../../../../../${OUT}`)],
    ["an absolute source", (s) => plugin(s.path(OUT))(s)],
    ["a source with a backslash", plugin(`..\\..\\${OUT}`)],
    ["a source with a NUL character", plugin("./a\0b")],
    ["a source elsewhere", plugin({ source: "github", repo: "acme/tools" })],
    ["a source that is a number", plugin(5)],
    ["an entry without a name", (s) => market(s, { plugins: [{ source: "./tools" }] })],
    ["entries that are no objects", (s) => market(s, { plugins: [null, "tools", []] })],
    ["plugins that are no list", (s) => market(s, { plugins: { tools: "./tools" } })],
    [
      "pluginRoot that leads out",
      (s) => market(s, { metadata: { pluginRoot: `../../../../${OUT}` }, plugins: [] }),
    ],
    [
      "skills that lead out",
      (s) => market(s, { plugins: [{ name: "tools", source: "./tools", skills: ["../../.."] }] }),
    ],
    ["a marketplace that is no JSON", (s) => s.write(`${CLONE}/.claude-plugin/marketplace.json`, "{")],
    [
      "a huge marketplace",
      (s) => s.write(`${CLONE}/.claude-plugin/marketplace.json`, " ".repeat(9 * 1024 * 1024)),
    ],
    [
      "a relative place of the clone",
      (s) => (renameSync(s.path(CLONE), s.path("clone")), known(s, "../../clone")),
    ],
    ["a place with a NUL character", (s) => known(s, "/a\0b")],
    ["a place that is a number", (s) => (renameSync(s.path(CLONE), s.path("clone")), known(s, 5))],
    [
      "known marketplaces that are a list",
      (s) => {
        renameSync(s.path(CLONE), s.path("clone"));
        s.write("home/.claude/plugins/known_marketplaces.json", "[]");
      },
    ],
    ["a clone that is gone", (s) => renameSync(s.path(CLONE), s.path("gone"))],
    ["a clone without skills", (s) => renameSync(s.path(CLONE, "tools/skills"), s.path("gone"))],
    [
      "a linked skill",
      (s) => {
        renameSync(s.path(CLONE, "tools/skills/pdf/SKILL.md"), s.path("SKILL.md"));
        s.write(`${CLONE}/tools/skills/other/SKILL.md`, skillText("other", "Does things.", ""));
        symlinkSync(s.path(OUT, "pdf/SKILL.md"), s.path(CLONE, "tools/skills/pdf/SKILL.md"));
        s.write(`${COPY}/skills/other/SKILL.md`, skillText("other", "Does things.", ""));
      },
    ],
  ])("%s", async (_, write) => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill(`${OUT}/pdf`, { body: "other" });
    mkdirSync(sandbox.path(OUT, "skills"));
    install(sandbox, { pdf: "old" }, { pdf: "new" });
    write(sandbox);
    expect(await stale(sandbox)).toEqual([]);
  });

  test("a marketplace whose name is a path", async () => {
    const sandbox = createSandbox();
    install(sandbox, { pdf: "old" }, { pdf: "new" });
    for (const name of ["..", "../market", "a/b", ""]) {
      const plugins = { [`tools@${name}`]: [{ installPath: sandbox.path(COPY) }] };
      sandbox.write("home/.claude/plugins/installed_plugins.json", JSON.stringify({ plugins }));
      expect(await stale(sandbox)).toEqual([]);
    }
  });

  test("a skill of more than 32 MiB is not read", async () => {
    const sandbox = createSandbox();
    install(sandbox, { pdf: "same" }, { pdf: "same" });
    const big = Buffer.alloc(33 * 1024 * 1024);
    sandbox.write(`${COPY}/skills/pdf/big`, big);
    sandbox.write(path.join(CLONE, "tools/skills/pdf/big"), big.fill(1));
    expect(await stale(sandbox)).toEqual([]);
  });
});
