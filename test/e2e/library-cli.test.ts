import { describe, expect, test } from "vitest";
import { connectInProcess as connect, runCommand } from "../support/in-process.ts";
import { page, SAMPLE, writeLibrary } from "../support/library.ts";
import { createSandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

const SMALL = {
  "_root.md": page("global", "Rules for everything"),
  "ui/forms.md": page("forms, input", "Forms and their fields"),
};

/** All ways to name a library give the same. */
const WAYS = [
  ["--library", (dir: string) => ({ args: ["--library", dir], env: {} })],
  ["SKILLS_DIR", (dir: string) => ({ args: [], env: { SKILLS_DIR: dir } })],
  ["SKILLS_DIR between spaces", (dir: string) => ({ args: [], env: { SKILLS_DIR: ` ${dir}\t` } })],
] as const;

describe.each(WAYS)("the command line over a library, by %s", (_way, named) => {
  test("list prints its skills beside the others, by their paths", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf", { description: "Works with PDF files." });
    const { args, env } = named(writeLibrary(sandbox, SMALL));
    const { code, stdout, stderr } = await runCommand(sandbox, ["list", ...args], { env });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(
      "NAME      PROVIDER  LOCATION  DESCRIPTION\n" +
        "pdf       claude    project   Works with PDF files.\n" +
        "_root     library   project   Rules for everything\n" +
        "ui/forms  library   project   Forms and their fields\n" +
        "\n3 skills\n",
    );
  });
});

describe("the command line over a library", () => {
  const [[, byFlag], [, byVariable]] = WAYS;

  test("list --json", async () => {
    const sandbox = createSandbox();
    const dir = writeLibrary(sandbox, { ...SMALL, "bad.md": "no front matter" });
    const { args, env } = byFlag(dir);
    const { stdout } = await runCommand(sandbox, ["list", "--json", ...args], { env });
    expect(JSON.parse(stdout)).toEqual({
      skills: [
        {
          name: "_root",
          description: "Rules for everything",
          provider: "library",
          location: "project",
          path: `${dir}/_root.md`,
          skill_path: "_root",
          keywords: ["global"],
          shadowed: [],
        },
        {
          name: "ui/forms",
          description: "Forms and their fields",
          provider: "library",
          location: "project",
          path: `${dir}/ui/forms.md`,
          skill_path: "ui/forms",
          keywords: ["forms", "input"],
          shadowed: [],
        },
      ],
      diagnostics: [
        {
          severity: "error",
          code: "no-front-matter",
          file: `${dir}/bad.md`,
          line: 1,
          message: expect.any(String),
        },
      ],
    });
  });

  test("search finds library skills, as text and as JSON", async () => {
    const sandbox = createSandbox();
    const { args, env } = byVariable(writeLibrary(sandbox, SMALL));
    const text = await runCommand(sandbox, ["search", "fields of a form", ...args], { env });
    expect(text.code).toBe(0);
    expect(text.stdout).toContain("ui/forms");
    const { stdout } = await runCommand(sandbox, ["search", "fields of a form", "--json", ...args], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      results: [{ skill_path: "ui/forms", provider: "library", description: "Forms and their fields" }],
    });
  });

  test("info shows what a skill inherits and offers", async () => {
    const sandbox = createSandbox();
    const { args, env } = byVariable(writeLibrary(sandbox, SAMPLE));
    const { code, stdout } = await runCommand(sandbox, ["info", "ui/react/auth", ...args], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ui\/react\/auth\nReact authentication components and patterns\n/);
    expect(stdout).toMatch(/Keywords +react, auth, component, login\n/);
    expect(stdout).toMatch(/_root .*\n.*ui\/_index .*\n.*ui\/react\/_index /);
    expect(stdout).toMatch(/assets\/AuthProvider\.tsx\.template +asset, 27 B/);
    expect(stdout).toMatch(/scripts\/audit\.sh +script, .*from _root/);
  });

  test("info --json", async () => {
    const sandbox = createSandbox();
    const { args, env } = byFlag(writeLibrary(sandbox, SAMPLE));
    const { stdout } = await runCommand(sandbox, ["info", "ui/react", "--json", ...args], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      name: "ui/react/_index",
      skill_path: "ui/react/_index",
      inherit: true,
      priority: 0,
      inherits: ["_root", "ui/_index"],
      files: [
        { kind: "asset", file: "assets/component-base.tsx.template", bytes: 23 },
        { kind: "asset", file: "assets/hook.ts", bytes: 11 },
        { kind: "asset", file: "assets/global.css", from: "_root" },
        { kind: "asset", file: "assets/design-tokens.json", from: "ui/_index" },
        { kind: "script", file: "scripts/audit.sh", from: "_root" },
      ],
      diagnostics: [],
    });
  });

  test("info of an unknown path is exit 1 with a suggestion", async () => {
    const sandbox = createSandbox();
    const { args, env } = byVariable(writeLibrary(sandbox, SAMPLE));
    const { code, stdout, stderr } = await runCommand(sandbox, ["info", "ui/react/auht", ...args], { env });
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("ui/react/auht");
  });

  test("--include and --exclude hold for library skills", async () => {
    const sandbox = createSandbox();
    const { args, env } = byFlag(writeLibrary(sandbox, SMALL));
    const names = async (...more: string[]) =>
      (
        JSON.parse((await runCommand(sandbox, ["list", "--json", ...args, ...more], { env })).stdout) as {
          skills: { name: string }[];
        }
      ).skills.map(({ name }) => name);
    expect(await names("--include", "library:ui/*")).toEqual(["ui/forms"]);
    expect(await names("--exclude", "library")).toEqual([]);
  });
});

test("ui.md beside ui/: the server's log, doctor and validate name the file that is not served, and the way out", async () => {
  const sandbox = createSandbox();
  for (const file of ["ui.md", "ui/react.md"]) sandbox.write(`library/${file}`, page("word", "Some words"));
  const file = sandbox.path("library/ui/react.md");
  const way = "Move ui.md to ui/_index.md, or rename it.";
  const connection = await connect(sandbox, {
    era: "2025-11-25",
    env: { SKILLS_DIR: sandbox.path("library") },
  });
  await connection.client.listTools();
  await waitUntil("the log names the file", () => connection.log().includes(file));
  expect(connection.log()).toContain(way);
  for (const command of [["doctor", "--library"], ["validate"]]) {
    const { stdout } = await runCommand(sandbox, [...command, sandbox.path("library")]);
    const shown = stdout.replace(/\s+/g, " ");
    expect(shown).toContain("library/ui/react.md");
    expect(shown).toContain(way);
  }
});

describe("validate over a library", () => {
  test("a field that cannot be used is said by list and validate alike", async () => {
    const sandbox = createSandbox();
    const dir = writeLibrary(sandbox, {
      "odd.md": page(
        "odd",
        "Fields that make no sense",
        "assets: [{ file: a.txt, description: [a, b] }, { file: b.txt, type: { x: 1 } }]\nscripts: [{ file: c.sh, args: [{ name: r, required: no }] }]",
      ),
      "odd/a.txt": "",
      "odd/b.txt": "",
      "odd/c.sh": "",
    });
    const listed = await runCommand(sandbox, ["list", "--library", dir]);
    const validated = await runCommand(sandbox, ["validate", dir]);
    for (const field of ["assets[0].description", "assets[1].type", "scripts[0].args[0].required"]) {
      expect(listed.stderr).toContain(` warn  ${dir}/odd.md: \`${field}\` must be`);
      expect(validated.stdout).toContain(`odd.md  \`${field}\` must be`);
    }
    expect([listed.code, validated.code]).toEqual([0, 1]);
  });

  test("a good one is exit 0", async () => {
    const sandbox = createSandbox();
    writeLibrary(sandbox, SAMPLE);
    const { code, stdout } = await runCommand(sandbox, ["validate", "library"]);
    expect(stdout).toContain("ok      library/ui/react/auth.md (ui/react/auth)");
    expect(stdout).toMatch(/6 files checked: 0 errors/);
    expect(code).toBe(0);
  });

  test("every problem is a line with the file and the reason, and the exit code is 1", async () => {
    const sandbox = createSandbox();
    const dir = writeLibrary(sandbox, {
      "good.md": page("good", "Fine"),
      "bad.md": "---\nkeywords: text\ndescription: d\n---\n",
      "files.md": page(
        "files",
        "Declares",
        "assets:\n  - file: gone.txt\n  - file: ../up.txt\npriority: high",
      ),
      "files/keep": "",
      "stop.md": page("the, the", "Words that never match"),
      "config.yaml": "matching:\n  min_score: 7\n",
    });
    const { code, stdout } = await runCommand(sandbox, ["validate", "library"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/error .*library\/bad\.md.*`keywords` must be a list/);
    expect(stdout).toMatch(/error .*library\/files\.md.*"gone\.txt".*does not exist/);
    expect(stdout).toMatch(/error .*library\/files\.md.*without '\.\.'/);
    expect(stdout).toMatch(/error .*library\/files\.md.*`priority` must be a number/);
    expect(stdout).toMatch(/advice .*library\/stop\.md.*'the'/);
    expect(stdout).toMatch(/error .*library\/config\.yaml.*matching\.min_score is 7/);

    const json = await runCommand(sandbox, ["validate", dir, "--json"]);
    expect(json.code).toBe(1);
    const { valid, files } = JSON.parse(json.stdout) as {
      valid: boolean;
      files: { file: string; name?: string; findings: { severity: string; rule: string }[] }[];
    };
    expect(valid).toBe(false);
    expect(files.map(({ file }) => file.slice(dir.length + 1))).toEqual([
      "bad.md",
      "config.yaml",
      "files.md",
      "good.md",
      "stop.md",
    ]);
    expect(files[3]).toEqual({ file: `${dir}/good.md`, name: "good", findings: [] });
  });
});
