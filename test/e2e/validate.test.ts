import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ValidatedFile } from "#check";
import { spawnBin } from "../support/bin.ts";
import { commandJson, runCommand } from "../support/in-process.ts";
import { createSandbox, type Sandbox, skillText } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

const SKILLS = "project/.agents/skills";
const DESCRIPTION = "Reads and fills PDF forms. Use it for PDF files of any kind.";
const ODD = `\ufeff---\r\nname: pdf  \r\ndescription: Reads PDF. Use when: someone has a PDF to read or fill.\r\nlicence: MIT\r\n---\r\nText  \r\n`;

function odd(): Sandbox {
  const sandbox = createSandbox();
  sandbox.write(`${SKILLS}/pdf/SKILL.md`, ODD);
  return sandbox;
}

describe("without a path, validate checks", () => {
  test("the folders with the project's skills, and says which", async () => {
    const sandbox = odd();
    sandbox.write("project/.claude/skills/good/SKILL.md", skillText("good", DESCRIPTION, "Text.\n"));
    sandbox.write("home/.claude/skills/other/SKILL.md", "broken");
    mkdirSync(sandbox.path("project/.codex/skills"), { recursive: true });
    const { code, stdout } = await runCommand(sandbox, ["validate"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/2 files checked in \.agents\/skills, \.claude\/skills: 1 error, 4 advice\.\n$/);
    expect(stdout).toContain("No agent knows the field 'licence'. Did you mean 'license'? [field-spelling]");
  });

  test("the skill whose folder this is", async () => {
    const sandbox = odd();
    sandbox.write(`${SKILLS}/good/SKILL.md`, skillText("good", DESCRIPTION, "Text.\n"));
    sandbox.write(`${SKILLS}/good/scripts/run.sh`, "");
    const { code, stdout } = await runCommand(sandbox, ["validate"], {
      cwd: sandbox.path(SKILLS, "good/scripts"),
    });
    expect(code).toBe(0);
    expect(stdout).toContain(`1 file checked in ${sandbox.path(SKILLS, "good")}: 0 errors`);
  });
});

describe("--fix", () => {
  test("shows a diff, writes it, and leaves the body as it is; --dry-run only shows it", async () => {
    const sandbox = odd();
    const file = sandbox.path(SKILLS, "pdf/SKILL.md");
    const shown = await runCommand(sandbox, ["validate", "--fix", "--dry-run"]);
    expect(shown.code).toBe(1);
    expect(shown.stdout).toContain(
      '+description: "Reads PDF. Use when: someone has a PDF to read or fill."\n',
    );
    expect(shown.stdout).toContain("-<BOM>---␍\n-name: pdf··␍\n");
    expect(shown.stdout).toContain("1 file would be corrected; nothing was written.");
    expect(readFileSync(file, "utf8")).toBe(ODD);
    const { mode } = statSync(file);

    const fixed = await runCommand(sandbox, ["validate", "--fix", "--json"]);
    expect(fixed.code).toBe(0);
    expect(JSON.parse(fixed.stdout)).toMatchObject({
      valid: true,
      fixed: [
        { file, rules: ["bom", "crlf", "trailing-blanks", "field-spelling", "front-matter-recovered"] },
      ],
    });
    expect(readFileSync(file, "utf8")).toBe(
      '---\nname: pdf\ndescription: "Reads PDF. Use when: someone has a PDF to read or fill."\nlicense: MIT\n---\nText  \r\n',
    );
    expect(statSync(file).mode).toBe(mode);
    expect((await runCommand(sandbox, ["validate", "--fix"])).stdout).toContain(
      "Nothing can be corrected without guessing.",
    );
  });
});

test("--fix does not turn a misspelled field into a permission, and says why", async () => {
  const sandbox = createSandbox();
  const text = `---\nname: pdf\ndescription: ${DESCRIPTION}\nallowed_tools: Bash\n---\nText.\n`;
  const file = sandbox.write(`${SKILLS}/pdf/SKILL.md`, text);
  const { stdout } = await runCommand(sandbox, ["validate", "--fix"]);
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(stdout).toContain("Nothing can be corrected without guessing.");
  expect(stdout).toContain(
    "Did you mean 'allowed-tools'? `--fix` does not change it: agents would start to act",
  );
});

test("secrets, dead links and Codex's settings are found beside a skill, and no secret is printed", async () => {
  const sandbox = createSandbox();
  const token = ["gh", "p_q7Zt2LmX9vB4cR8yK1wN5pJ3sD6fG0hA2eUi"].join("");
  const body = "See [it](scripts/gone.py), [this](references/a.md) and [that](../b.md).\n";
  sandbox.write(`${SKILLS}/pdf/SKILL.md`, skillText("pdf", DESCRIPTION, body));
  sandbox.write(`${SKILLS}/pdf/references/a.md`, `Use ${token} here.\n`);
  sandbox.write(`${SKILLS}/pdf/.env`, token);
  sandbox.write(`${SKILLS}/pdf/agents/openai.yaml`, "interface:\n  brand_color: red\n");
  const { code, stdout } = await runCommand(sandbox, ["validate"]);
  expect(code).toBe(1);
  for (const line of [
    "error   .agents/skills/pdf/SKILL.md:6  The link 'scripts/gone.py' leads to a file that the skill does not have.",
    "advice  .agents/skills/pdf/SKILL.md:6  The link '../b.md' leads out of the skill's folder",
    "error   .agents/skills/pdf/references/a.md:1  This looks like a GitHub token.",
    // It is never served, but an agent can open it.
    "advice  .agents/skills/pdf/.env:1  This looks like a GitHub token.",
    "error   .agents/skills/pdf/agents/openai.yaml:2  `interface.brand_color` must be a colour",
  ]) {
    expect(stdout).toContain(line);
  }
  expect(stdout).toContain("4 files checked in .agents/skills: 3 errors, 2 advice.");
  expect(stdout).not.toContain(token.slice(6, 20));

  // doctor says the same, by rule; what is served all the same is a warning, unless it is dangerous.
  const doctor = await runCommand(sandbox, ["doctor"]);
  expect(doctor.stdout).toContain("1 × warning  dead-link: pdf");
  expect(doctor.stdout).toContain("Every skill is served, but 3 files would fail validate, see above.");
  expect(doctor.stdout).toContain("4 warnings, 1 advice");
  expect(doctor.code).toBe(0);
  const { findings } = (await commandJson(sandbox, "doctor", "--json")) as { findings: unknown };
  const { files } = (await commandJson(sandbox, "validate", "--json")) as { files: unknown };
  expect(findings).toEqual(files);
});

test("--quiet prints errors only, --format what other programs read", async () => {
  const sandbox = odd();
  const quiet = await runCommand(sandbox, ["validate", "--quiet"]);
  expect(quiet.stdout.split("\n")).toEqual([
    expect.stringMatching(/^error .*\[front-matter-recovered\]$/),
    "",
  ]);
  const github = await runCommand(sandbox, ["validate", "--format", "github"]);
  expect(github.stdout).toMatch(
    /^::error file=\.agents\/skills\/pdf\/SKILL\.md,line=3,title=front-matter-recovered::/m,
  );
  const sarif = await runCommand(sandbox, ["validate", "--format", "sarif"]);
  expect(JSON.parse(sarif.stdout)).toMatchObject({ version: "2.1.0", runs: [{ results: { length: 5 } }] });
  expect([quiet.code, github.code, sarif.code]).toEqual([1, 1, 1]);
});

test.each<[readonly string[], string]>([
  [["--json", "--format", "sarif"], "--json and --format sarif contradict each other"],
  [["--dry-run"], "--dry-run needs --fix."],
  [["--watch", "--json"], "--watch prints text"],
  [["--format", "xml"], "--format takes text, json, sarif or github, not 'xml'."],
])("validate %j is refused", async (args, message) => {
  const { code, stderr } = await runCommand(odd(), ["validate", ...args]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test("--watch checks again after each change, and only then", async () => {
  const sandbox = odd();
  const { child, exit, stdout } = spawnBin(sandbox, ["validate", "--watch"]);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exit;
  });
  await waitUntil("the first check", () => stdout().includes("1 error, 4 advice."));
  writeFileSync(sandbox.path(SKILLS, "pdf/SKILL.md"), skillText("pdf", DESCRIPTION, "Text.\n"));
  await waitUntil("the second check", () => stdout().includes("0 errors, 0 advice."));
  sandbox.write(`${SKILLS}/late/SKILL.md`, skillText("late", "Late.", "Text.\n"));
  await waitUntil("a new skill", () => stdout().includes("2 files checked"));
  expect(stdout().match(/checked at/g)).toHaveLength(3);
});

describe("new", () => {
  test("writes a skill without errors, which is found to be a template, and refuses to overwrite it", async () => {
    const sandbox = createSandbox();
    const { code, stdout } = await runCommand(sandbox, [
      "new",
      "fill-forms",
      "--with",
      "scripts,references",
      "--with",
      "evals",
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain("skills-mcp validate .agents/skills/fill-forms");
    const dir = sandbox.path(SKILLS, "fill-forms");
    for (const file of ["SKILL.md", "scripts/run.mjs", "references/details.md", "evals/evals.json"]) {
      expect(existsSync(path.join(dir, file))).toBe(true);
    }
    const validated = await runCommand(sandbox, ["validate", "--json"]);
    expect(validated.code).toBe(0);
    const found = JSON.parse(validated.stdout) as { readonly files: readonly ValidatedFile[] };
    expect(
      found.files.map(({ file, findings }) => [path.relative(dir, file), findings.map(({ rule }) => rule)]),
    ).toEqual([
      ["SKILL.md", ["template"]],
      ["evals/evals.json", ["template"]],
      ["references/details.md", ["template"]],
      ["scripts/run.mjs", ["template"]],
    ]);
    const evaluated = await runCommand(sandbox, ["eval"]);
    expect(evaluated.code).toBe(1);
    expect(evaluated.stderr).toContain("is still the template that skills-mcp new wrote");
    writeFileSync(path.join(dir, "SKILL.md"), "mine");
    const again = await runCommand(sandbox, ["new", "fill-forms"]);
    expect([again.code, readFileSync(path.join(dir, "SKILL.md"), "utf8")]).toEqual([1, "mine"]);
    expect(again.stderr).toContain("already exists, and nothing was changed");
  });

  test("a skill that was written is no longer a template", async () => {
    const sandbox = createSandbox();
    const own = ["--description", DESCRIPTION, "--prompt", "fill in this PDF form"];
    expect((await runCommand(sandbox, ["new", "pdf", ...own])).code).toBe(0);
    expect((await runCommand(sandbox, ["eval"])).code).toBe(0);
    expect((await runCommand(sandbox, ["validate"])).stdout).toContain("0 errors, 1 advice");
    sandbox.write(`${SKILLS}/pdf/SKILL.md`, skillText("pdf", DESCRIPTION, "Text.\n"));
    expect((await runCommand(sandbox, ["validate"])).stdout).toContain("0 errors, 0 advice");
  });

  test("-g is the user's folder, --dir any other", async () => {
    const sandbox = createSandbox();
    expect((await runCommand(sandbox, ["new", "one", "-g"])).code).toBe(0);
    expect(await commandJson(sandbox, "new", "two", "--dir", "team/skills", "--json")).toEqual({
      name: "two",
      dir: sandbox.path("project/team/skills/two"),
      files: ["SKILL.md"],
    });
    expect(existsSync(sandbox.path("home/.agents/skills/one/SKILL.md"))).toBe(true);
  });

  test.each<[readonly string[], string]>([
    [["Fill Forms"], "Try 'fill-forms'."],
    [["../x"], "Try 'x'."],
    [["日本"], "Choose another name."],
    [[], "new takes one skill name"],
    [["x", "--with", "script"], "Did you mean 'scripts'?"],
    [["x", "-g", "--dir", "y"], "--global and --dir contradict each other"],
  ])("new %j is refused", async (args, message) => {
    const sandbox = createSandbox();
    const { code, stderr } = await runCommand(sandbox, ["new", ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(existsSync(sandbox.path("project/.agents"))).toBe(false);
  });
});
