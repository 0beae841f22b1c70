import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { startWebServer } from "../../../../test/support/web-server.ts";
import { repositoryOf } from "../../src/fetch/market/from-marketplace.ts";
import { createMachine, filesIn, refusalOf, SKILL } from "./fetching.ts";

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  }
}

const market = (...plugins: readonly object[]): string => JSON.stringify({ name: "m", plugins });
const FILE = ".claude-plugin/marketplace.json";

test("the plugins beside a marketplace are fetched with their skills listed, others are named and skipped", async () => {
  const machine = createMachine();
  write(machine.cwd, {
    [FILE]: market(
      { name: "docs", source: "./plugins/docs" },
      { name: "far", source: { source: "github", repo: "acme/far", ref: "v1" } },
    ),
    "plugins/docs/skills/pdf/SKILL.md": SKILL,
    "plugins/docs/skills/web/SKILL.md": SKILL,
    "plugins/docs/skills/notes/readme.md": "x",
    "plugins/other/skills/x/SKILL.md": SKILL,
  });
  const { folder, listed } = await machine.fetch(`./${FILE}`);
  expect(Object.keys(filesIn(folder)).every((file) => file.startsWith("plugins/docs/"))).toBe(true);
  expect(listed).toEqual([
    { name: "pdf", plugin: "docs", path: "plugins/docs/skills/pdf" },
    { name: "web", plugin: "docs", path: "plugins/docs/skills/web" },
  ]);
  expect(machine.progress).toContain("skipped plugins of other sources: far (acme/far#v1)");
});

test("a marketplace whose plugin is the whole repository lists the skills that it names", async () => {
  const machine = createMachine();
  write(machine.cwd, {
    [FILE]: market({ name: "docs", source: "./", strict: false, skills: ["./skills/pdf", "./more/"] }),
    "skills/pdf/SKILL.md": SKILL,
    "skills/unlisted/SKILL.md": SKILL,
    "more/web/SKILL.md": SKILL,
  });
  const { listed } = await machine.fetch(`./${FILE}`);
  expect(listed).toEqual([
    { name: "pdf", plugin: "docs", path: "skills/pdf" },
    { name: "web", plugin: "docs", path: "more/web" },
  ]);
});

test("plugins that are missing or linked from outside are skipped, and one without listed skills is scanned", async () => {
  const machine = createMachine();
  write(machine.root, { "outside/skills/x/SKILL.md": SKILL });
  write(machine.cwd, {
    "marketplace.json": market(
      { name: "none", source: "./none" },
      { name: "out", source: "out" },
      { name: "odd", source: "odd" },
    ),
    "odd/very/deep/SKILL.md": SKILL,
  });
  symlinkSync(path.join(machine.root, "outside"), path.join(machine.cwd, "out"), "junction");
  const { folder, listed } = await machine.fetch("./marketplace.json");
  expect(filesIn(folder)).toEqual({ "odd/very/deep/SKILL.md": SKILL });
  expect(listed).toBeUndefined();
  expect(machine.logged).toHaveLength(2);
});

test("a marketplace of the web is refused with the addresses of its plugins", async () => {
  const machine = createMachine();
  const site = await startWebServer({
    "/far/marketplace.json": market({
      name: "a",
      source: { source: "url", url: "https://example.com/a.git" },
    }),
    "/near/marketplace.json": market({ name: "a", source: "./a" }),
    "/empty/marketplace.json": market(),
    "/broken/marketplace.json": "{",
  });
  const refused = async (name: string) =>
    (await refusalOf(machine.fetch(`${site.origin}/${name}/marketplace.json`))).message;
  expect(await refused("far")).toMatch(
    /Add those that you want by their own address: a \(https:\/\/example\.com\/a\.git\)\.$/,
  );
  expect(await refused("near")).toMatch(/add its git repository instead\.$/);
  expect(await refused("empty")).toMatch(/lists no plugins that can be fetched\.$/);
  expect(await refused("broken")).toMatch(/is not a marketplace: it has no list of plugins\.$/);
});

test.each([
  [
    "https://raw.githubusercontent.com/o/r/main/.claude-plugin/marketplace.json",
    "https://github.com/o/r.git",
    "main",
  ],
  [
    "https://raw.githubusercontent.com/o/r/refs/heads/main/marketplace.json",
    "https://github.com/o/r.git",
    "main",
  ],
  ["https://github.com/o/r/blob/v1/.agents/plugins/marketplace.json", "https://github.com/o/r.git", "v1"],
  [
    "https://gitlab.com/g/s/r/-/raw/main/.claude-plugin/marketplace.json",
    "https://gitlab.com/g/s/r.git",
    "main",
  ],
])("%s stands for its repository", (url, repo, ref) => {
  expect(repositoryOf(url)?.address).toMatchObject({ repo: { url: repo }, ref });
});

test.each([
  "https://example.com/o/r/main/marketplace.json",
  "https://github.com/o/r/blob/main/deep/down/marketplace.json",
])("%s stands for no repository", (url) => {
  expect(repositoryOf(url)).toBeUndefined();
});

test("entries that are broken are named and skipped, and a plugin without a source is the whole folder", async () => {
  const machine = createMachine();
  write(machine.cwd, {
    [FILE]: JSON.stringify({
      plugins: [
        7,
        { source: "./" },
        { name: "out", source: "../x" },
        { name: "odd", source: 7 },
        { name: "docs" },
      ],
    }),
    "skills/pdf/SKILL.md": SKILL,
  });
  const { listed } = await machine.fetch(`./${FILE}`);
  expect(listed).toEqual([{ name: "pdf", plugin: "docs", path: "skills/pdf" }]);
  expect(machine.logged).toEqual([
    expect.stringMatching(/: An entry of its list is no object, so it is ignored\.$/),
    expect.stringMatching(/: A plugin without a name is ignored\.$/),
    expect.stringMatching(/: the plugin 'out' lies in '\.\.\/x', outside; it is skipped$/),
    expect.stringMatching(/: the source of the plugin 'odd' is unknown; it is skipped$/),
  ]);
});

test("a plugin that is itself a skill has the plugin's name", async () => {
  const machine = createMachine();
  write(machine.cwd, { [FILE]: market({ name: "docs", source: "./" }), "SKILL.md": SKILL });
  expect((await machine.fetch(`./${FILE}`)).listed).toEqual([{ name: "docs", plugin: "docs", path: "." }]);
});
