import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { BIN, environmentOf, IS_WINDOWS, NODE, type Ran } from "../support/bin.ts";
import { ERAS, loadSkill } from "../support/client.ts";
import { buildZip } from "../support/hostile-archives.ts";
import { commandJson, connectInProcess as connect, runCommand } from "../support/in-process.ts";
import { createSandbox, type Sandbox, skillText } from "../support/sandbox.ts";

/** Files and folders as people on Windows have them. What needs a drive or cmd runs on Windows alone. */
interface Listed {
  readonly skills: readonly { readonly name: string; readonly dir: string; readonly shadows?: unknown }[];
}

const namesOf = (listed: unknown): readonly string[] =>
  (listed as Listed).skills.map(({ name }) => name).sort();

/** Runs a program of JavaScript where the product runs, and returns what it printed. */
function runThere(sandbox: Sandbox, program: string, ...args: readonly string[]): Ran {
  const { status, stdout, stderr } = spawnSync(NODE, ["-e", program, ...args], {
    cwd: sandbox.project,
    env: environmentOf(sandbox),
    input: "",
    encoding: "utf8",
  });
  return { code: status, stdout, stderr };
}

/** A user and a project with spaces and umlauts in their folders. */
function named(): Sandbox {
  const sandbox = createSandbox();
  sandbox.write("Jürgen Müller/.codex/config.toml", "# mine\n");
  sandbox.write("Mein Projekt (äöü)/README.md", "");
  return {
    ...sandbox,
    home: sandbox.path("Jürgen Müller"),
    project: sandbox.path("Mein Projekt (äöü)"),
  };
}

describe("paths of Windows: spaces and umlauts", () => {
  test.each(ERAS)("a home and a project with both are searched and served, protocol %s", async (era) => {
    const sandbox = named();
    sandbox.skill("Jürgen Müller/.claude/skills/größe");
    sandbox.skill("Mein Projekt (äöü)/.agents/skills/pdf forms", { name: "pdf-forms", body: "Formulare.\n" });
    const connection = await connect(sandbox, { era });
    const { text, isError } = await loadSkill(connection, "pdf-forms");
    expect([isError, text]).toEqual([false, expect.stringContaining("Formulare.")]);
    expect(text).toContain("pdf forms");
    expect(namesOf(await commandJson(sandbox, "list", "--json"))).toEqual(["größe", "pdf-forms"]);
  });

  test("connect writes an entry that starts, and disconnect leaves the file as it was", async () => {
    const sandbox = named();
    const connected = await runCommand(sandbox, ["connect", "codex"]);
    expect([connected.code, connected.stderr]).toEqual([0, ""]);
    expect(connected.stdout).toContain("The server answers: no skills, 1 tool.");
    expect((await runCommand(sandbox, ["disconnect", "codex"])).code).toBe(0);
    expect(readFileSync(path.join(sandbox.home, ".codex/config.toml"), "utf8")).toBe("# mine\n");
  });
});

test("paths of Windows: a skill more than 300 characters deep is listed, loaded and installed", async () => {
  const sandbox = createSandbox();
  const deep = Array.from({ length: 8 }, (_, index) => `${index}${"folder".repeat(7)}`).join("/");
  sandbox.skill(`project/${deep}/far`, { body: "From far away.\n" });
  expect(sandbox.path("project", deep).length).toBeGreaterThan(300);
  const args = ["--skill-dir", deep];
  expect(namesOf(await commandJson(sandbox, "list", "--json", ...args))).toEqual(["far"]);
  const connection = await connect(sandbox, { era: "2025-11-25", args: ["mcp", ...args] });
  expect((await loadSkill(connection, "far")).text).toContain("From far away.");
  expect((await runCommand(sandbox, ["add", `./${deep}`, "far"])).code).toBe(0);
});

test("paths of Windows: a model reads a file by its path as this system writes it", async () => {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf");
  const file = sandbox.write("project/.claude/skills/pdf/references/forms.md", "Forms.");
  const connection = await connect(sandbox, { era: "2025-11-25" });
  const paths = ["references/forms.md", file, ...(IS_WINDOWS ? ["references\\forms.md"] : [])];
  for (const asked of paths) {
    const args = { skill: "pdf", path: asked };
    const answer = await connection.client.callTool({ name: "read_skill_file", arguments: args });
    expect([asked, answer.isError ?? false]).toEqual([asked, false]);
    expect(JSON.stringify(answer.content)).toContain("Forms.");
  }
});

test("paths of Windows: files with CRLF mean what they mean with LF", async () => {
  const crlf = createSandbox();
  const lf = createSandbox();
  for (const [sandbox, ending] of [
    [crlf, "\r\n"],
    [lf, "\n"],
  ] as const) {
    const write = (file: string, text: string) => sandbox.write(file, text.replaceAll("\n", ending));
    const text = "---\nname: pdf\ndescription: >\n  Reads\n  forms.\nmetadata:\n  a: b\n---\n\n# PDF\n";
    write("project/.claude/skills/pdf/SKILL.md", text);
    write("project/.claude/skills/old/SKILL.md", skillText("old", "Is left out."));
    write("project/.skills-mcp.yaml", "skills:\n  exclude:\n    - old\n");
    write("home/.skills-mcp/config.yaml", "skills:\n  strict: false\n");
    write("home/.claude/settings.json", '{\n  "theme": "dark"\n}\n');
  }
  const read = async (sandbox: Sandbox) => {
    const texts: string[] = [];
    for (const command of [["list"], ["list", "--tree"]]) {
      const { code, stdout, stderr } = await runCommand(sandbox, command);
      texts.push([code, stdout, stderr].join("\n"));
    }
    return texts.map((text) => text.replaceAll(sandbox.path(), "").replaceAll(/^\d{4}-\S+Z /gm, ""));
  };
  const found = await read(crlf);
  expect(found).toEqual(await read(lf));
  expect(found[0]).toContain("Reads forms.");
});

test("paths of Windows: a read-only file hinders no update, removal or undo", async () => {
  const sandbox = createSandbox();
  const source = sandbox.skill("source/pdf", { body: "one\n" });
  sandbox.write("source/pdf/notes.md", "notes\n");
  expect((await runCommand(sandbox, ["add", "../source", "pdf"])).code).toBe(0);
  for (const file of ["SKILL.md", "notes.md"])
    chmodSync(path.join(sandbox.project, ".agents/skills/pdf", file), 0o444);
  sandbox.write(path.relative(sandbox.path(), source), skillText("pdf", "Does pdf things.", "two\n"));
  expect(await runCommand(sandbox, ["update", "--yes"])).toMatchObject({ code: 0 });
  chmodSync(path.join(sandbox.project, ".agents/skills/pdf/SKILL.md"), 0o444);
  expect(await runCommand(sandbox, ["remove", "pdf", "--yes"])).toMatchObject({ code: 0 });
  expect(await runCommand(sandbox, ["undo"])).toMatchObject({ code: 0 });
  const installed = path.join(sandbox.project, ".agents/skills/pdf/SKILL.md");
  expect(readFileSync(installed, "utf8")).toContain("two");
});

test("paths of Windows: where no link can be made, add tells to copy", async () => {
  const sandbox = createSandbox();
  sandbox.skill("source/pdf");
  const linked = await runCommand(sandbox, ["add", "../source", "--agent", "claude"]);
  expect(linked.code === 0 || linked.stderr.includes("add it with --copy")).toBe(true);
  expect(await runCommand(sandbox, ["add", "../source", "--agent", "claude", "--copy"])).toMatchObject({
    code: 0,
  });
});

test.each(["aux.txt", "con", "sub/NUL.md", "a.", "b "])(
  "paths of Windows: an archive with '%s' is refused on every system",
  async (name) => {
    const sandbox = createSandbox();
    const zip = buildZip([
      { name: "pdf/SKILL.md", content: skillText("pdf", "Reads.") },
      { name: `pdf/${name}`, content: "x" },
    ]);
    sandbox.write("project/pdf.zip", zip);
    const { code, stderr } = await runCommand(sandbox, ["add", "./pdf.zip", "--all"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/the name of a device on Windows|ends with a dot or a space/);
  },
);

describe.runIf(IS_WINDOWS)("paths of Windows: drives", () => {
  const FAR = "C:\\skills-mcp-test\\Far away\\skills";
  const MAKE = `const fs = require("node:fs"), [dir] = process.argv.slice(1);
fs.mkdirSync(dir + "\\\\far", { recursive: true });
fs.writeFileSync(dir + "\\\\far\\\\SKILL.md", "---\\r\\nname: far\\r\\ndescription: Is on another drive.\\r\\n---\\r\\n");`;

  function onAnotherDrive(): Sandbox {
    const sandbox = createSandbox();
    expect(runThere(sandbox, MAKE, FAR)).toMatchObject({ code: 0, stderr: "" });
    onTestFinished(() => {
      runThere(sandbox, 'require("node:fs").rmSync("C:\\\\skills-mcp-test", { recursive: true })');
    });
    return sandbox;
  }

  test.each([
    ["single quotes", `'${FAR}'`],
    ["slashes", `"${FAR.replaceAll("\\", "/")}"`],
    ["escapes", JSON.stringify(FAR)],
    ["nothing around it", FAR],
  ])("a folder of another drive is named in the settings with %s", async (_how, written) => {
    const sandbox = onAnotherDrive();
    sandbox.write("home/.skills-mcp/config.yaml", `skills:\n  skill_dirs:\n    - ${written}\n`);
    expect(namesOf(await commandJson(sandbox, "list", "--json"))).toEqual(["far"]);
  });

  test("a folder of another drive is named by a flag, installed from, and served", async () => {
    const sandbox = onAnotherDrive();
    const connection = await connect(sandbox, { era: "2025-11-25", args: ["mcp", "--skill-dir", FAR] });
    expect((await loadSkill(connection, "far")).text).toContain(`${FAR}\\far`);
    expect((await runCommand(sandbox, ["add", FAR, "far"])).code).toBe(0);
    const lock = JSON.parse(readFileSync(path.join(sandbox.project, "skills-lock.json"), "utf8")) as unknown;
    expect(lock).toMatchObject({ skills: { far: { source: FAR.replaceAll("\\", "/") } } });
  });

  test("double quotes around a path are told to be the fault", async () => {
    const sandbox = createSandbox();
    sandbox.write("home/.skills-mcp/config.yaml", 'skills:\n  skill_dirs: ["C:\\Users\\me"]\n');
    const { code, stderr } = await runCommand(sandbox, ["list"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("use single quotes, or `/`")]);
  });

  test("one folder in two spellings is one", async () => {
    const sandbox = createSandbox();
    sandbox.skill("Skills/pdf");
    const spelled = [sandbox.path("Skills"), sandbox.path("SKILLS")];
    const args = spelled.flatMap((dir) => ["--skill-dir", dir]);
    const { skills } = (await commandJson(sandbox, "list", "--json", ...args)) as Listed;
    expect(skills.map(({ name, shadows }) => [name, shadows ?? []])).toEqual([["pdf", []]]);
  });

  test("a share that does not answer is a folder that does not exist", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const { code, stdout } = await runCommand(sandbox, [
      "list",
      "--skill-dir",
      "\\\\127.0.0.1\\none\\skills",
    ]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("pdf")]);
  });
});

test.runIf(IS_WINDOWS)("paths of Windows: cmd starts a hook, however it is told to", async () => {
  const sandbox = createSandbox();
  const description = "Fills in PDF forms: fields, check boxes and signatures of a form.";
  sandbox.skill("home/.kiro/skills/pdf-forms", { description });
  sandbox.write("home/.claude/settings.json", "{}\n");
  expect((await runCommand(sandbox, ["hook", "install", "claude-code"])).code).toBe(0);
  const { hooks } = JSON.parse(readFileSync(sandbox.path("home/.claude/settings.json"), "utf8")) as {
    hooks: { UserPromptSubmit: readonly [{ hooks: readonly [{ command: string }] }] };
  };
  const { command } = hooks.UserPromptSubmit[0].hooks[0];
  expect(command).toBe(`node Z:${BIN} hook run claude-code`);
  const prompt = { prompt: "complete the fields of this pdf form with signatures", cwd: process.cwd() };
  const start = `const { spawnSync } = require("node:child_process"), [command, input] = process.argv.slice(1);
for (const [args, windowsVerbatimArguments] of [[["/c", command], true], [["/d", "/s", "/c", '"' + command + '"'], true], [["/c", command], false]])
  console.log(spawnSync("cmd.exe", args, { input, encoding: "utf8", windowsVerbatimArguments }).stdout);`;
  const { stdout, stderr } = runThere(sandbox, start, command, JSON.stringify(prompt));
  expect([stderr, stdout.match(/The skill `pdf-forms` fits this task/g)]).toEqual([
    "",
    Array(3).fill(expect.any(String)),
  ]);
});
