import { expect, onTestFinished, test, vi } from "vitest";
import { ownProgram } from "#agents";
import { COMMANDS } from "../../src/command-table.ts";
import { flagValue, parseFlags } from "../../src/flags.ts";
import { renderEmptyView } from "../../src/render/empty-view.ts";
import { renderCommandHelp, renderHelp, renderSharedFlags } from "../../src/render/help.ts";
import { renderSearch } from "../../src/render/search.ts";
import { createStyle } from "../../src/render/text.ts";
import { VIEW_FLAGS } from "../../src/shared-flags.ts";

const STYLE = createStyle(false);
const OWN = { command: ["/usr/bin/node", "/my tools/cli.js"], shown: "skills-mcp" };
const LOOK = { width: undefined, style: STYLE };

test("help names every command with its summary, and the version", () => {
  const text = renderHelp("1.2.3", { width: undefined, style: STYLE }, OWN);
  expect(text).toContain("skills-mcp 1.2.3");
  for (const { usage, summary } of Object.values(COMMANDS)) {
    expect(text).toMatch(new RegExp(`^ {2}${escaped(usage)} +${escaped(summary)}$`, "m"));
  }
  expect(text).toContain(`Connect an agent
  skills-mcp connect
  claude mcp add --scope user skills -- /usr/bin/node '/my tools/cli.js'
  skills-mcp connect codex
`);
});

test.each(Object.entries(COMMANDS))(
  "the help of %s shows every flag with its value and meaning, and names those that many share",
  async (_, entry) => {
    const { command } = await entry.load();
    const { flags } = command;
    const text = renderCommandHelp(command, LOOK);
    expect(text.toLowerCase().startsWith(`${entry.summary}.\n`.toLowerCase())).toBe(true);
    expect(text).toContain(`\n  skills-mcp ${entry.usage} [flags]\n`);
    const shared = renderSharedFlags(LOOK).split("\n");
    const lines = text.split("\n");
    for (const [name, flag] of Object.entries(flags)) {
      expect(text).toContain(`--${name}`);
      const isRow = (line: string): boolean => new RegExp(`^ +(?:-\\w, )?--${name} `).test(line);
      const shown = lines.find(isRow) ?? shared.find(isRow);
      expect(shown).toContain(flagValue(flag));
      expect(shown?.endsWith(`  ${flag.help}`)).toBe(true);
      expect(flag.help).not.toBe("");
    }
  },
);

test.each(Object.entries(COMMANDS))(
  "the help of %s begins with examples that the command takes",
  async (name, entry) => {
    const { command } = await entry.load();
    expect(command.examples.length).toBeGreaterThan(0);
    for (const example of command.examples) {
      const [first, ...args] = example.split(" ");
      expect(first).toBe(name);
      expect(() => parseFlags(args, command.flags)).not.toThrow();
      expect(renderCommandHelp(command, LOOK)).toMatch(
        new RegExp(`\\nExamples\\n(?:  skills-mcp .*\\n)*  skills-mcp ${escaped(example)}\\n`),
      );
    }
  },
);

test("help shows a flag's letter, and a command's own flag is in no group of others", async () => {
  const { command } = (await COMMANDS["new"]?.load()) ?? {};
  if (command === undefined) throw new Error("There is a command new.");
  const [own = ""] = renderCommandHelp(command, LOOK).split("\n\nFlags of every command");
  expect(own).toMatch(/^ {2}-g, --global +in ~/m);
  expect(own).toMatch(/^ {2}--description <text> /m);
  expect(own).not.toContain("Tools");
});

test.each([50, 80, 120])("help fits a terminal of %i columns", async (width) => {
  const texts = [renderHelp("1.2.3", { width, style: STYLE }, OWN).split("Connect an agent")[0] ?? ""];
  for (const entry of Object.values(COMMANDS)) {
    texts.push(renderCommandHelp((await entry.load()).command, { width, style: STYLE }));
  }
  texts.push(renderSharedFlags({ width, style: STYLE }));
  // A command line to copy is one line.
  const lines = texts.join("").split("\n");
  for (const line of lines.filter((each) => !each.startsWith("  skills-mcp ")))
    expect(line.length).toBeLessThanOrEqual(width);
});

test("the help of a server groups its flags", async () => {
  const entry = COMMANDS["mcp"];
  if (entry === undefined) throw new Error("There is a command mcp.");
  const text = renderCommandHelp((await entry.load()).command, { width: undefined, style: STYLE });
  expect(text.match(/^[A-Z][A-Za-z ]+$/gm)).toEqual([
    "Examples",
    "Usage",
    "Flags",
    "Tools",
    "Refresh",
    "Telemetry",
    "HTTP",
    "HTTP authentication",
  ]);
});

test.each([
  [[], /^No skills found in \.agents\/skills, .+ home folder\.\n/],
  [["--skill-dir", "x", "--root", "y", "--no-default-dirs"], /^No skills found in x, y\.\n/],
  [["--root", "my skills"], /^No skills found in my skills, \.agents[^]+ new hello --dir 'my skills'\n/],
  [["--skill-dir", "it's"], /\n {2}\S.* list --skill-dir 'it'\\''s'\n$/],
  [["--no-default-dirs"], /^No skills found\.\n\nThere is no folder to search: add one with --skill-dir/],
  [["--include", "pdf"], /^No skills found in \.agents\/skills, /],
])("an empty list after %j says where it looked", (args, expected) => {
  expect(renderEmptyView(parseFlags(args, VIEW_FLAGS).flags, undefined, undefined)).toMatch(expected);
});

test("an empty list says what leaves nothing", () => {
  const { flags } = parseFlags(["--include", "pdf"], VIEW_FLAGS);
  expect(renderEmptyView(flags, undefined, "--include and --exclude leave none of 4 skills")).toMatch(
    /^--include and --exclude leave none of 4 skills\. skills-mcp config shows/,
  );
});

test.each([
  [
    "a folder that was named",
    ["--skill-dir", "./nosuch", "--no-default-dirs"],
    {},
    `  ${ownProgram().shown} new hello --dir ./nosuch`,
  ],
  ["a library", ["--library", "handbook"], {}, "keywords: [login, session]"],
  ["a repository", [], { SKILLS_REPO: "https://example.com/x" }, "Run skills-mcp doctor"],
])("an empty list suggests a next step for %s, and never the folder .agents", (_, args, env, way) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const text = renderEmptyView(parseFlags(args, VIEW_FLAGS).flags, undefined, undefined);
  expect(text).toContain(way);
  expect(text).not.toContain(" add ");
});

const FOUND = {
  name: "pdf",
  description: "Reads PDF files.",
  provider: "claude",
  location: "project",
  skillPath: "/pdf",
  score: 1,
  matched: ["pdf", "read"],
  excerpt: "Reads PDF files.",
} as const;

const ANSWER = { task: "pdf", confidence: 0.9, verdict: "match", nearest: [] } as const;

test("a search that nothing fits says so first, and names the nearest", () => {
  const none = { ...ANSWER, verdict: "no_match", total: 0, results: [], nearest: [FOUND] } as const;
  expect(renderSearch(none, { width: undefined, style: STYLE })).toBe(
    'Nothing fits "pdf" well. The nearest:\n\npdf  claude, project\n  Reads PDF files.\n',
  );
});

test("a search that is ambiguous says so first", () => {
  const found = { ...ANSWER, verdict: "ambiguous", total: 1, results: [FOUND] } as const;
  expect(renderSearch(found, { width: undefined, style: STYLE })).toMatch(
    /^Ambiguous: no skill stands out for "pdf"\. The candidates, best first:\n\npdf {2}claude, project\n/,
  );
});

test("a search names the copies of a skill beside it, and no words where none matched", () => {
  const found = { ...FOUND, matched: [], copies: ["codex:pdf"] };
  expect(renderSearch({ ...ANSWER, total: 2, results: [found] }, LOOK, { why: true })).toMatch(
    /^pdf {2}claude, project · copies: codex:pdf\n/,
  );
});

test("a search shows descriptions and how many more there are", () => {
  const text = renderSearch({ ...ANSWER, total: 3, results: [FOUND] }, LOOK);
  expect(text).toBe("pdf  claude, project\n  Reads PDF files.\n\n2 more results; use --limit to see more.\n");
});

test("search --why shows the passage, and of the words that matched those that stand in what is shown", () => {
  const found = { ...FOUND, matched: ["pdf", "merge", "combine"], excerpt: "…merge them with pypdf." };
  expect(renderSearch({ ...ANSWER, total: 1, results: [found] }, LOOK, { why: true })).toBe(
    "pdf  claude, project · matched pdf, merge\n  Reads PDF files.\n  …merge them with pypdf.\n",
  );
  expect(renderSearch({ ...ANSWER, total: 1, results: [FOUND] }, LOOK, { why: true })).toBe(
    "pdf  claude, project · matched pdf, read\n  Reads PDF files.\n",
  );
});

test("a search without hits says what was looked for, on one line", () => {
  const text = renderSearch(
    { ...ANSWER, task: "a\u001B[2J\nb", total: 0, results: [] },
    { width: undefined, style: STYLE },
  );
  expect(text).toMatch(/^No skill matches "a�\[2J�b"\. .+\n$/);
});

test("search: descriptions are cut to the width of the terminal", () => {
  const found = { ...FOUND, description: "字".repeat(100) };
  const lines = renderSearch({ ...ANSWER, total: 1, results: [found] }, { width: 20, style: STYLE }).split(
    "\n",
  );
  expect(lines).toContain(`  ${"字".repeat(8)}…`);
});

function escaped(text: string): string {
  return text.replace(/[().[\]|]/g, "\\$&");
}
