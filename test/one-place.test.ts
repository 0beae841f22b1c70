// Adds an agent, a command, a tool, a setting and an event to a copy of the sources, each as the README.md of its part says, and
// observes them in the program that is built from the copy. What docs/ say of them is compared by tests of the parts.
import { execFile, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { environmentOf, NODE, type Ran } from "./support/bin.ts";
import { connect } from "./support/client.ts";
import { atEndOfGroup, createSandbox, type Sandbox } from "./support/sandbox.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const COPIED = ["package.json", "package-lock.json", "tsconfig.json", "data", "scripts"];

const AGENT = `import { type Agent, inBoth } from "../agent.ts";
import { JSON_SERVERS } from "../connect/entry-forms.ts";

export const agent: Agent = {
  id: "parrot",
  title: "Parrot",
  folders: inBoth(".parrot/skills"),
  client: {
    name: "parrot-mcp-client",
    measured: { pattern: /^parrot\\b/i, traits: { reads: inBoth(".parrot/skills") } },
  },
  connect: {
    ...JSON_SERVERS,
    documentation: "https://parrot.example/mcp",
    user: ["~/.parrot/mcp.json"],
    folders: ["~/.parrot"],
    programs: ["parrot"],
    next: "Restart Parrot.",
  },
};
`;

const COMMAND = `import { DEFAULT_VALUES, settingFlags } from "#config";
import { defineCommand, printJson } from "../command.ts";
import { JSON_FLAG } from "../shared-flags.ts";

/** \`skills-mcp squawk <word>\`: prints a word, and how many an answer has at most. */
export const command = defineCommand({
  name: "squawk",
  usage: "<word>",
  summary: "say a word like a parrot",
  order: 55,
  bundle: "commands",
  flags: { ...JSON_FLAG, ...settingFlags("tools") },
  takes: "one",
  async run({ given, positionals: [word], terminal }) {
    const most: number = given["max-words"] ?? DEFAULT_VALUES.server.max_words;
    if (given.json) printJson(terminal, { word, most });
    else terminal.print(\`\${word}!\\n\`);
    return 0;
  },
});
`;

const TOOL = `import { int, object, strictObject, string } from "zod";
import { dataFor, defineTool, MESSAGE, READ_ONLY } from "./tool.ts";

/** Repeats words, and records that it did. */
export const repeatWords = defineTool({
  name: "repeat_words",
  set: "loader",
  position: 50,
  title: "Repeat Words",
  description: "Repeat words.",
  annotations: READ_ONLY,
  input: strictObject({
    words: string().min(1).describe("What to repeat"),
    times: int().min(1).max(9).default(2),
  }),
  output: object({ ...MESSAGE, said: string() }),
  async handle({ record }, { words, times }, { traits }) {
    const said = Array.from({ length: times }, () => words).join(" ");
    record("words_repeated", { words, times, loud: true, tune: "scale" });
    return { content: [{ type: "text", text: said }], structuredContent: dataFor(traits, { said }, said) };
  },
});
`;

const SETTING = `
    max_words: setting(whole(1, 100), {
      default: 20,
      of: "tools",
      flag: "--max-words <count>",
      help: "how many words an answer has at most (default 20)",
    }),`;

const EVENT = `
  words_repeated: declareEvent({ fields: { words: text, times: number, loud: flag, tune: optional(text) } }),`;

/** The record of an event with each field, and what must not compile. */
const RECORDS = `import type { Usage } from "./packages/usage/src/index.ts";

export function record(usage: Usage): void {
  usage.record("words_repeated", { words: "hello", times: 2, loud: true, tune: "la" });
  usage.record("words_repeated", { words: "hello", times: 2, loud: true });
  // @ts-expect-error: a field is forgotten.
  usage.record("words_repeated", { words: "hello", times: 2 });
  // @ts-expect-error: no such field.
  usage.record("words_repeated", { words: "hello", times: 2, loud: true, volume: 3 });
  // @ts-expect-error: times is a number.
  usage.record("words_repeated", { words: "hello", times: "2", loud: true });
}
`;

/** A file that is added, or the text that is put behind another one in a file that is there. */
type Change = string | { readonly behind: string; readonly text: string };

/** What a developer writes for one of each. The command uses the setting, and the tool records the event. */
const CHANGES = {
  agent: { "packages/agents/src/agents/parrot.ts": AGENT },
  command: { "packages/cli/src/commands/squawk.ts": COMMAND },
  tool: { "packages/server/src/mcp/tools/repeat-words.ts": TOOL },
  setting: { "packages/config/src/declared-settings.ts": { behind: "\n  server: {", text: SETTING } },
  event: { "packages/usage/src/events.ts": { behind: "export const EVENTS = {", text: EVENT } },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Change>>>>;

/** What the build writes from the files of agents, commands and tools. */
const GENERATED = [
  "packages/agents/src/agents/index.ts",
  "packages/cli/src/command-table.ts",
  "packages/server/src/mcp/definitions/tool-definitions.generated.ts",
  "packages/server/src/mcp/tools/tools.generated.ts",
];

describe("one place for one thing", () => {
  const atEnd = atEndOfGroup();
  let copy = "";

  beforeAll(async () => {
    const sandbox = createSandbox(undefined, atEnd);
    copy = sandbox.path("copy");
    copySources(copy);
    for (const changes of Object.values(CHANGES))
      for (const [file, change] of Object.entries(changes)) apply(path.join(copy, file), change);
    await promisify(execFile)(process.execPath, ["scripts/build.mjs"], { cwd: copy });
  });

  const run = (sandbox: Sandbox, ...args: readonly string[]): Ran => {
    const { status, stdout, stderr } = spawnSync(NODE, [path.join(copy, "dist/cli.js"), ...args], {
      cwd: sandbox.project,
      env: environmentOf(sandbox),
      encoding: "utf8",
    });
    return { code: status, stdout, stderr };
  };
  const json = (sandbox: Sandbox, ...args: readonly string[]): unknown =>
    JSON.parse(run(sandbox, ...args, "--json").stdout);
  const server = (sandbox: Sandbox, clientName: string) =>
    connect(sandbox, { era: "2025-11-25", clientName, script: [path.join(copy, "dist/cli.js")] });

  test("sources: one file changes for each, and the build writes the tables", () => {
    const counts = Object.entries(CHANGES).map(([what, changes]) => [what, Object.keys(changes).length]);
    expect(Object.fromEntries(counts)).toEqual({ agent: 1, command: 1, tool: 1, setting: 1, event: 1 });
    const written = Object.values(CHANGES).flatMap((changes) => Object.keys(changes));
    expect(changedFiles(copy)).toEqual([...written, ...GENERATED].toSorted());
  });

  test("sources: they compile, and an event with a forgotten, an unknown or a wrong field does not", () => {
    writeFileSync(path.join(copy, "records.ts"), RECORDS);
    const files = [CHANGES.agent, CHANGES.command, CHANGES.tool].flatMap((changes) => Object.keys(changes));
    writeFileSync(
      path.join(copy, "tsconfig.changes.json"),
      JSON.stringify({
        extends: "./tsconfig.json",
        compilerOptions: { skipLibCheck: true },
        include: [],
        files: [...files, "records.ts"],
      }),
    );
    const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc");
    const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.changes.json"], {
      cwd: copy,
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  });

  test("agent: it can be connected, its skills have its provider, and its client is known", () => {
    const sandbox = createSandbox();
    sandbox.skill("home/.parrot/skills/mimicry");
    const file = sandbox.path("home/.parrot/mcp.json");
    const listed = { id: "parrot", title: "Parrot", file, installed: true, state: "not connected" };
    expect(json(sandbox, "connect", "--list")).toEqual({
      clients: expect.arrayContaining([expect.objectContaining(listed)]) as unknown,
    });
    expect(run(sandbox, "connect", "parrot", "--yes").stdout).toContain("Connected Parrot.");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      mcpServers: { skills: { command: expect.stringContaining("node") as string } },
    });
    const skill = { name: "mimicry", provider: "parrot", location: "user" };
    expect(json(sandbox, "list")).toMatchObject({ skills: [skill] });
    const view = json(sandbox, "doctor", "--client", "parrot-mcp-client");
    expect(view).toMatchObject({ title: "Parrot", native: ["mimicry"] });
  });

  test("command: it runs, has help and completion, and is suggested for a typing error", () => {
    const sandbox = createSandbox();
    expect(run(sandbox, "squawk", "hello")).toEqual({ code: 0, stdout: "hello!\n", stderr: "" });
    expect(run(sandbox, "--help").stdout).toMatch(/^ +squawk <word> +say a word like a parrot$/m);
    expect(run(sandbox, "squawk", "--help").stdout).toContain("--max-words <count>");
    expect(run(sandbox, "squak")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Did you mean 'squawk'?"),
    });
    for (const shell of ["bash", "fish", "zsh", "powershell"])
      expect(run(sandbox, "completion", shell).stdout).toContain("squawk");
    expect(readFileSync(path.join(copy, "dist/man/skills-mcp.1"), "utf8")).toContain("squawk");
  });

  test("setting: it has its default, and a file or a flag sets it", () => {
    const sandbox = createSandbox();
    const shown = () => json(sandbox, "config");
    const most = (...flags: readonly string[]) => json(sandbox, "squawk", "hello", ...flags);
    expect(shown()).toMatchObject({
      values: { server: { max_words: 20 } },
      origins: { "server.max_words": { kind: "default" } },
    });
    expect(most()).toEqual({ word: "hello", most: 20 });
    const file = sandbox.write("home/.skills-mcp/config.yaml", "server:\n  max_words: 7\n");
    expect(shown()).toMatchObject({
      values: { server: { max_words: 7 } },
      origins: { "server.max_words": { kind: "file", file, line: 2 } },
    });
    expect(most()).toEqual({ word: "hello", most: 7 });
    expect(most("--max-words", "9")).toEqual({ word: "hello", most: 9 });
    expect(run(sandbox, "squawk", "hello", "--max-words", "0")).toMatchObject({ code: 2 });
    expect(run(sandbox, "mcp", "--help").stdout).toContain("--max-words <count>");
    sandbox.write("home/.skills-mcp/config.yaml", "server:\n  max_words: many\n");
    expect(run(sandbox, "config")).toMatchObject({ code: 2, stderr: expect.stringContaining("max_words") });
  });

  test("tool and event: a client lists and calls the tool, and the event is recorded with all its fields", async () => {
    const sandbox = createSandbox();
    const { client, close } = await server(sandbox, "parrot-mcp-client");
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "repeat_words")).toMatchObject({
      title: "Repeat Words",
      inputSchema: {
        type: "object",
        properties: {
          words: { type: "string", minLength: 1, description: "What to repeat" },
          times: { type: "integer", minimum: 1, maximum: 9, default: 2 },
        },
        required: ["words"],
        additionalProperties: false,
      },
      outputSchema: { type: "object", properties: { said: { type: "string" } }, required: ["said"] },
    });
    const call = (args: Record<string, unknown>) =>
      client.callTool({ name: "repeat_words", arguments: args });
    expect(await call({ words: "hello" })).toMatchObject({ structuredContent: { said: "hello hello" } });
    await expect(call({ words: "hello", times: 10 })).rejects.toThrow("'times'");
    await close();
    const history = sandbox.path("home/.skills-mcp/usage");
    const events = (): readonly unknown[] =>
      (existsSync(history) ? readdirSync(history) : []).flatMap((name) =>
        readFileSync(path.join(history, name), "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as unknown),
      );
    await expect.poll(events).toEqual([
      expect.objectContaining({
        type: "words_repeated",
        data: { words: "hello", times: 2, loud: true, tune: "scale" },
        client: expect.objectContaining({ name: "parrot-mcp-client" }) as unknown,
      }),
    ]);
  });
});

/** Everything that the build reads. `node_modules` has a cache of its own: other builds may run at the same time. */
function copySources(copy: string): void {
  for (const name of COPIED) cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
  const filter = (file: string): boolean => !/^packages\/[^/]+\/(?:test|bench)$/.test(relativeTo(ROOT, file));
  cpSync(path.join(ROOT, "packages"), path.join(copy, "packages"), { recursive: true, filter });
  const [packages, links] = [path.join(ROOT, "node_modules"), path.join(copy, "node_modules")];
  mkdirSync(links);
  for (const name of readdirSync(packages))
    if (!name.startsWith(".")) symlinkSync(path.join(packages, name), path.join(links, name), "junction");
}

function apply(file: string, change: Change): void {
  if (typeof change === "string") return writeFileSync(file, change, { flag: "wx" });
  const { behind, text } = change;
  const [before, after, ...more] = readFileSync(file, "utf8").split(behind);
  if (after === undefined || more.length > 0) throw new Error(`${file} has not one '${behind}'.`);
  writeFileSync(file, `${before}${behind}${text}${after}`);
}

/** The sources in the copy that the repository does not have, or has with another text. */
function changedFiles(copy: string): readonly string[] {
  const sources = readdirSync(path.join(copy, "packages"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relativeTo(copy, path.join(parentPath, name)));
  const isChanged = (file: string): boolean => {
    const original = path.join(ROOT, file);
    if (!existsSync(original)) return true;
    return readFileSync(original, "utf8") !== readFileSync(path.join(copy, file), "utf8");
  };
  return sources.filter(isChanged).toSorted();
}

function relativeTo(folder: string, file: string): string {
  return path.relative(folder, file).split(path.sep).join("/");
}
