import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { POOLED_DISK } from "#util";
import { commandJson, runCommand } from "../../../../test/support/in-process.ts";
import { createSandbox, DISK_FOLDER, type Sandbox } from "../../../../test/support/sandbox.ts";
import { createDependencyFinder } from "../../src/roots/dependencies.ts";

/** Writes the project's manifest, and packages as an installer leaves them. */
function install(sandbox: Sandbox, packages: Readonly<Record<string, object>>, manifest: object = {}): void {
  const dependencies = Object.fromEntries(Object.keys(packages).map((name) => [name, "^1.0.0"]));
  sandbox.write("project/package.json", JSON.stringify({ dependencies, ...manifest }));
  for (const [name, own] of Object.entries(packages)) {
    sandbox.write(`project/node_modules/${name}/package.json`, JSON.stringify({ name, ...own }));
  }
}

function finderOf(sandbox: Sandbox, projects = [sandbox.project]) {
  const find = createDependencyFinder(Date.now);
  return async (isPartial = false) => {
    const found = await find({ projects, disk: POOLED_DISK, isPartial });
    return { ...found, dirs: found.roots.map(({ dir }) => path.relative(sandbox.path("."), dir)) };
  };
}

async function listed(sandbox: Sandbox, ...args: string[]) {
  const answer = (await commandJson(sandbox, "list", "--json", ...args)) as {
    readonly skills: readonly Record<string, string>[];
    readonly diagnostics: readonly { readonly code: string; readonly file: string }[];
  };
  return answer;
}

const names = ({ skills }: Awaited<ReturnType<typeof listed>>) => skills.map(({ name }) => name);

describe("which packages are searched", () => {
  test("dependencies of every kind that ship skills, and no other package of node_modules", async () => {
    const sandbox = createSandbox();
    const kinds = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
    const packages = Object.fromEntries(kinds.map((kind) => [kind.toLowerCase(), { version: "1.2.3" }]));
    const manifest = Object.fromEntries(kinds.map((kind) => [kind, { [kind.toLowerCase()]: "1" }]));
    install(sandbox, { ...packages, plain: {}, transitive: {} }, manifest);
    for (const name of [...Object.keys(packages), "transitive"])
      sandbox.skill(`project/node_modules/${name}/skills/core`);
    const { roots } = await finderOf(sandbox)();
    expect(roots.map(({ plugin, label }) => [plugin?.name, label])).toEqual(
      kinds.map((kind) => [kind.toLowerCase(), `npm package ${kind.toLowerCase()} 1.2.3`]),
    );
  });

  test("a package in the node_modules of a folder above, the nearer one first", async () => {
    const sandbox = createSandbox();
    for (const [folder, version] of [
      ["project", "1.0.0"],
      ["project/app", "2.0.0"],
    ]) {
      for (const name of folder === "project" ? ["near", "far"] : ["near"]) {
        sandbox.write(`${folder}/node_modules/${name}/package.json`, JSON.stringify({ name, version }));
        sandbox.skill(`${folder}/node_modules/${name}/skills/core`);
      }
    }
    const app = sandbox.path("project/app");
    writeFileSync(path.join(app, "package.json"), JSON.stringify({ dependencies: { near: "2", far: "1" } }));
    const { roots } = await finderOf(sandbox, [app, sandbox.project])();
    expect(roots.map(({ label }) => label)).toEqual(["npm package near 2.0.0", "npm package far 1.0.0"]);
  });

  test.each<[string, object, Record<string, string>]>([
    ["npm and yarn", { workspaces: ["packages/*", "!packages/old"] }, {}],
    ["yarn 1", { workspaces: { packages: ["./packages/*/", "!packages/old"] } }, {}],
    [
      "pnpm",
      {},
      { "pnpm-workspace.yaml": "packages:\n  - 'packages/**'\n  # no\n  - \"!packages/old\"\nx: 1\n" },
    ],
  ])("workspaces of %s, with their own dependencies", async (_, manifest, files) => {
    const sandbox = createSandbox();
    install(sandbox, {}, manifest);
    for (const [file, text] of Object.entries(files)) sandbox.write(`project/${file}`, text);
    for (const name of ["a", "old"]) {
      const own = JSON.stringify({ name: `@team/${name}`, version: "0.1.0", dependencies: { of: "1" } });
      sandbox.write(`project/packages/${name}/package.json`, own);
      sandbox.skill(`project/packages/${name}/skills/core`);
    }
    sandbox.write("project/packages/a/node_modules/of/package.json", JSON.stringify({ name: "of" }));
    sandbox.skill("project/packages/a/node_modules/of/skills/core");
    const { dirs } = await finderOf(sandbox)();
    expect(dirs).toEqual(["project/packages/a/skills", "project/packages/a/node_modules/of/skills"]);
  });
});

describe("where a package has its skills", () => {
  test.each<[string, object, readonly string[], readonly string[]]>([
    [
      "any depth of skills (@tanstack/intent)",
      {},
      ["skills/core/SKILL.md", "skills/a/b/SKILL.md"],
      ["core", "b"],
    ],
    ["a skill that is the package (skills)", {}, ["SKILL.md", "sub/SKILL.md"], ["pkg"]],
    ["a folder of the package (skills)", {}, ["guide/SKILL.md", "guide/x.md"], ["guide"]],
    [".agents/skills (skills)", {}, [".agents/skills/core/SKILL.md"], ["core"]],
    [
      "folders that package.json names (npm-agentskills)",
      { agentskills: { skills: [{ name: "x", path: "./lib/deep/named" }] } },
      ["lib/deep/named/SKILL.md", "lib/deep/other/SKILL.md"],
      ["named"],
    ],
    [
      "a named folder below skills once",
      { agentskills: { skills: [{ name: "core", path: "skills/core" }] } },
      ["skills/core/SKILL.md"],
      ["core"],
    ],
    [
      "no skill of code or of its own dependencies",
      {},
      ["dist/SKILL.md", "node_modules/x/skills/y/SKILL.md"],
      [],
    ],
  ])("%s", async (_, own, files, expected) => {
    const sandbox = createSandbox();
    install(sandbox, { pkg: own });
    for (const file of files)
      sandbox.skill(`project/node_modules/pkg/${path.dirname(file)}`.replace(/\/\.$/, ""));
    expect(new Set(names(await listed(sandbox)))).toEqual(new Set(expected.map((name) => `pkg:${name}`)));
  });

  test("a linked package, as pnpm installs it and npm links a workspace", async () => {
    const sandbox = createSandbox();
    install(sandbox, {}, { dependencies: { pkg: "1" } });
    const store = "project/node_modules/.pnpm/pkg@1.0.0/node_modules/pkg";
    sandbox.write(`${store}/package.json`, JSON.stringify({ name: "pkg", version: "1.0.0" }));
    sandbox.skill(`${store}/skills/core`);
    symlinkSync(".pnpm/pkg@1.0.0/node_modules/pkg", sandbox.path("project/node_modules/pkg"));
    expect(await listed(sandbox)).toMatchObject({
      skills: [{ name: "pkg:core", provider: "npm", location: "project", label: "npm package pkg 1.0.0" }],
      diagnostics: [],
    });
  });
});

describe("what chooses them", () => {
  test.each<[readonly string[], readonly string[]]>([
    [[], ["@acme-ui:core", "pkg:core"]],
    [
      ["--include", "npm"],
      ["@acme-ui:core", "pkg:core"],
    ],
    [["--include", "npm:@acme-ui:*"], ["@acme-ui:core"]],
    [["--include", "npm:pkg:core"], ["pkg:core"]],
    [
      ["--exclude", "@plugins"],
      ["@acme-ui:core", "pkg:core"],
    ],
    [["--exclude", "pkg:*"], ["@acme-ui:core"]],
    [["--exclude", "npm"], []],
    [["--no-dependencies"], []],
    [["--no-default-dirs"], []],
  ])("%j", async (args, expected) => {
    const sandbox = createSandbox();
    install(sandbox, { pkg: {}, "@acme/ui": {} });
    for (const name of ["pkg", "@acme/ui"]) sandbox.skill(`project/node_modules/${name}/skills/core`);
    expect(names(await listed(sandbox, ...args))).toEqual(expected);
  });

  test.each<[string, readonly string[]]>([
    ["review: [npm]", []],
    ["review: [project]", ["@acme-ui:core", "pkg:core"]],
    ["block: ['npm:pkg']", ["@acme-ui:core"]],
    // A project can put any package of that name into node_modules.
    ["{review: [npm], allow: ['npm:@acme']}", []],
    ["block: ['npm:real']", ["@acme-ui:core"]],
  ])("the trust rule %s", async (rules, expected) => {
    const sandbox = createSandbox();
    install(sandbox, { pkg: { name: "real" }, "@acme/ui": {} });
    for (const name of ["pkg", "@acme/ui"]) sandbox.skill(`project/node_modules/${name}/skills/core`);
    sandbox.write("home/.skills-mcp/trust.yaml", rules);
    expect(names(await listed(sandbox))).toEqual(expected);
  });

  test("info shows the package and its installed version", async () => {
    const sandbox = createSandbox();
    install(sandbox, { "@acme/ui": { version: "4.5.6" } });
    sandbox.skill("project/node_modules/@acme/ui/skills/core");
    const { stdout } = await runCommand(sandbox, ["info", "npm:@acme-ui:core"]);
    expect(stdout).toMatch(/Provider {3}npm\nLabel {6}npm package @acme\/ui 4\.5\.6\n/);
  });
});

describe("a hostile project or package gives nothing, and takes nothing from the others", () => {
  const OUT = "outside";
  type Hostile = readonly [what: string, dependency: string, write: (sandbox: Sandbox, dir: string) => void];
  const withManifest =
    (own: unknown): Hostile[2] =>
    (sandbox, dir) =>
      sandbox.write(`${dir}/package.json`, typeof own === "string" ? own : JSON.stringify(own));
  const link =
    (from: string, to: string): Hostile[2] =>
    (sandbox, dir) => {
      sandbox.write(`${dir}/package.json`, "{}");
      mkdirSync(path.dirname(sandbox.path(dir, from)), { recursive: true });
      symlinkSync(sandbox.path(to), sandbox.path(dir, from));
    };
  const named = (place: unknown) => withManifest({ agentskills: { skills: [{ name: "x", path: place }] } });
  test.each<Hostile>([
    ["a name that leads up", "../../outside", () => {}],
    ["a name that is absolute", "/etc", () => {}],
    ["a name with two folders", "a/b/skills", () => {}],
    ["a name with a backslash", "..\\outside", () => {}],
    ["a name with a NUL character", "a\0b", () => {}],
    ["a name of dots", "..", () => {}],
    ["a hidden name", ".bin", withManifest({})],
    ["a name that no path can have", "x".repeat(5_000), () => {}],
    ["a scope alone", "@scope/", () => {}],
    ["a name that is an inherited property", "__proto__", () => {}],
    ["a linked skills folder", "evil", link("skills", OUT)],
    ["a linked skill folder", "evil", link("skills/stolen", `${OUT}/stolen`)],
    ["a linked SKILL.md", "evil", link("skills/stolen/SKILL.md", `${OUT}/stolen/SKILL.md`)],
    ["a linked SKILL.md of the package", "evil", link("SKILL.md", `${OUT}/stolen/SKILL.md`)],
    ["a linked .agents", "evil", link(".agents", OUT)],
    ["a named path that leads up", "evil", named("../../../outside/stolen")],
    ["a named path that is absolute", "evil", named("/etc")],
    ["a named path with a NUL character", "evil", named("a\0b")],
    ["a named path into another package", "evil", named("skills/../node_modules/good")],
    ["a named path that is no text", "evil", named({ toString: "x" })],
    ["agentskills that is a list", "evil", withManifest({ agentskills: [1, null] })],
    ["a manifest that is no JSON", "evil", withManifest("{")],
    ["a manifest that is a list", "evil", withManifest([])],
    ["a huge manifest", "evil", withManifest(`{"agentskills":${" ".repeat(2 * 1024 * 1024)}1}`)],
    [
      "a manifest that is a folder",
      "evil",
      (s, dir) => mkdirSync(s.path(dir, "package.json"), { recursive: true }),
    ],
    ["a skills file", "evil", (s, dir) => (withManifest({})(s, dir), s.write(`${dir}/skills`, "x"))],
  ])("%s", async (_, dependency, write) => {
    // In a folder of the system links are refused for another reason.
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill(`${OUT}/stolen`);
    sandbox.skill(`${OUT}/skills/stolen`);
    write(sandbox, "project/node_modules/evil");
    install(sandbox, { good: {} });
    sandbox.skill("project/node_modules/good/skills/core");
    sandbox.write("project/package.json", `{"dependencies":{${JSON.stringify(dependency)}:"1","good":"1"}}`);
    expect(names(await listed(sandbox))).toEqual(["good:core"]);
  });

  test.each([
    ["no JSON", "{"],
    ["a list", "[]"],
    ["huge", `{"a":"${"x".repeat(2 * 1024 * 1024)}"}`],
    ["dependencies that are a list", '{"dependencies":[1]}'],
    ["workspaces that lead up", '{"workspaces":["../*","/etc/*","..","packages/../../outside"]}'],
    ["workspaces without an end", `{"workspaces":${JSON.stringify(Array(50).fill("**/**/**/**/x"))}}`],
  ])("a project's manifest: %s", async (_, text) => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/own");
    sandbox.write("outside/package.json", '{"name":"outside"}');
    sandbox.skill("outside/skills/stolen");
    sandbox.write("project/package.json", text);
    expect(names(await listed(sandbox))).toEqual(["own"]);
  });

  test("a version and a name with control characters are not shown", async () => {
    const sandbox = createSandbox();
    install(sandbox, { pkg: { name: "x\u001b[2J", version: "1\u001b[31m\nPlugin: me" } });
    sandbox.skill("project/node_modules/pkg/skills/core");
    expect((await listed(sandbox)).skills).toMatchObject([{ label: "npm package pkg" }]);
  });
});

describe("what changes is found again, and nothing else is read", () => {
  test("in a partial search only after an installer or an editor of package.json", async () => {
    const sandbox = createSandbox();
    install(sandbox, { pkg: {} });
    const find = finderOf(sandbox);
    expect((await find()).dirs).toEqual([]);
    sandbox.skill("project/node_modules/pkg/skills/core");
    expect((await find(true)).dirs).toEqual([]);
    const lock = sandbox.write("project/node_modules/.package-lock.json", "{}");
    const found = await find(true);
    expect([found.dirs, found.awaited]).toEqual([["project/node_modules/pkg/skills"], [lock]]);
  });

  test("in a whole search whatever changed, and an unchanged package is not listed", async () => {
    const sandbox = createSandbox();
    install(sandbox, { pkg: {}, other: {} });
    sandbox.skill("project/node_modules/pkg/skills/core");
    const lists: string[] = [];
    const names = (dir: string) => {
      lists.push(path.basename(dir));
      return POOLED_DISK.names(dir);
    };
    // So late that no second change could carry the time of the last one.
    const find = createDependencyFinder(() => Date.now() + 10_000);
    const search = () =>
      find({ projects: [sandbox.project], disk: { ...POOLED_DISK, names }, isPartial: false });
    for (let time = 0; time < 3; time++) expect((await search()).roots).toHaveLength(1);
    expect(lists).toEqual(["pkg", "other", "pkg", "other"]);
    renameSync(
      sandbox.path("project/node_modules/pkg/skills"),
      sandbox.path("project/node_modules/pkg/gone"),
    );
    expect((await search()).roots.map(({ dir }) => path.basename(dir))).toEqual([]);
  });
});
