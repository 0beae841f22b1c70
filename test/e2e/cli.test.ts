import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ownProgram } from "#agents";
import { COMMANDS } from "#cli";
import { runBin, spawnBin } from "../support/bin.ts";
import { commandJson, runCommand } from "../support/in-process.ts";
import { createSandbox, type Sandbox, skillText } from "../support/sandbox.ts";

const SKILLS = "project/.claude/skills";
const OURS = ownProgram().shown;

describe("list", () => {
  test("prints a table for people", async () => {
    const sandbox = createSandbox();
    sandbox.skill(`${SKILLS}/pdf`, { description: "Works with PDF files." });
    sandbox.skill("home/.codex/skills/git-flow", { description: "Branches and merges." });
    const { code, stdout, stderr } = await runCommand(sandbox, ["list"]);
    expect(code).toBe(0);
    expect(stderr).toBe("");
    expect(stdout).toBe(
      "NAME      PROVIDER  LOCATION  DESCRIPTION\n" +
        "pdf       claude    project   Works with PDF files.\n" +
        "git-flow  codex     user      Branches and merges.\n" +
        "\n2 skills\n",
    );
  });

  test("--json prints the shape that scripts depend on", async () => {
    const sandbox = createSandbox();
    sandbox.skill(`${SKILLS}/pdf`);
    sandbox.skill("home/.claude/skills/pdf");
    sandbox.skill("home/.claude/plugins/cache/p/tool");
    const plugins = { "p@m": { installPath: "cache/p" } };
    sandbox.write("home/.claude/plugins/installed_plugins.json", JSON.stringify({ version: 1, plugins }));
    const bad = sandbox.write(`${SKILLS}/bad/SKILL.md`, "no front matter");
    expect(await commandJson(sandbox, "list", "--json")).toEqual({
      skills: [
        {
          name: "pdf",
          description: "Does pdf things.",
          provider: "claude",
          location: "project",
          path: sandbox.path(SKILLS, "pdf"),
          shadowed: [{ provider: "claude", location: "user", path: sandbox.path("home/.claude/skills/pdf") }],
        },
        {
          name: "p:tool",
          description: "Does tool things.",
          provider: "claude",
          location: "plugin",
          plugin: "p@m",
          path: sandbox.path("home/.claude/plugins/cache/p/tool"),
          shadowed: [],
        },
      ],
      diagnostics: [
        {
          severity: "error",
          code: "no-front-matter",
          file: bad,
          line: 1,
          message: expect.any(String) as string,
        },
      ],
    });
  });

  test("with nothing to show it says where it looked and what to do", async () => {
    const { code, stdout } = await runCommand(createSandbox(), ["list"]);
    expect(code).toBe(0);
    expect(stdout).toContain("No skills found in .agents/skills");
    expect(stdout).toContain(`\n  ${OURS} add anthropics/skills pdf\n  ${OURS} new hello\n  ${OURS} list\n`);
  });

  test.each([[["list"]], [["search", "pdf"]], [["search", "--all-words", "pdf"]]])(
    "with nothing in the only folder that is searched, %j speaks of that one",
    async (command) => {
      const args = [...command, "--skill-dir", "./nosuch", "--no-default-dirs"];
      const { code, stdout } = await runCommand(createSandbox(), args);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^No skills found in \.\/nosuch\.\n[^]+\n {2}\S.* new hello --dir \.\/nosuch\n/);
      expect(stdout).not.toContain(".agents");
    },
  );

  test("the command in the empty message makes a skill without errors", async () => {
    const sandbox = createSandbox();
    await runCommand(sandbox, ["new", "hello"]);
    const { stdout } = await runCommand(sandbox, ["validate", ".agents/skills"]);
    expect(stdout).toContain("1 file checked: 0 errors, 1 advice.");
  });

  test.each([
    ["--include", "pdf", ["pdf"]],
    ["--exclude", "pdf", ["git"]],
    ["--include", "codex", ["git"]],
    ["--include", "p*,git", ["pdf", "git"]],
    ["--exclude", "codex:g?t", ["pdf"]],
  ])("%s %s", async (flag, token, names) => {
    const sandbox = createSandbox();
    sandbox.skill(`${SKILLS}/pdf`);
    sandbox.skill("home/.codex/skills/git");
    const { skills } = (await commandJson(sandbox, "list", "--json", flag, token)) as {
      skills: { name: string }[];
    };
    expect(skills.map((skill) => skill.name)).toEqual(names);
  });

  test("--user-dir stands in for the home folder", async () => {
    const sandbox = createSandbox();
    sandbox.skill("other-home/.agents/skills/there");
    expect((await runCommand(sandbox, ["list", "--user-dir", "../other-home"])).stdout).toContain("there");
  });

  test("hostile names cannot move the cursor", async () => {
    const sandbox = createSandbox();
    sandbox.write(`${SKILLS}/x/SKILL.md`, '---\nname: "a\\e[2Jb"\ndescription: "c\\e]0;title\\ad"\n---\n');
    const { stdout } = await runCommand(sandbox, ["list"]);
    expect(stdout).not.toContain("\u001B");
  });

  test("a reader that stops early is no error", async () => {
    const sandbox = createSandbox();
    for (let index = 0; index < 300; index++) {
      sandbox.skill(`${SKILLS}/s${index}`, { description: "x".repeat(1_000) });
    }
    const { child, exit, stderr } = spawnBin(sandbox, ["list"]);
    child.stdout.destroy();
    expect(await exit).toEqual({ code: 0, signal: null });
    expect(stderr()).toBe("");
  });
});

describe("info", () => {
  test("shows header, files beside it, what it shadows and what to fix", async () => {
    const sandbox = createSandbox();
    sandbox.write(`${SKILLS}/pdf/SKILL.md`, skillText("pdf", "Use when: PDF"));
    sandbox.write(`${SKILLS}/pdf/scripts/fill.py`, "print(1)\n");
    sandbox.write(`${SKILLS}/pdf/references/forms.md`, "x".repeat(3_000));
    sandbox.skill("home/.claude/skills/pdf");
    const { code, stdout } = await runCommand(sandbox, ["info", "PDF"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Digest {5}sha256:[0-9a-f]{64}$/m);
    expect(stdout.replace(/^Digest .*\n/m, "")).toBe(
      `pdf\nUse when: PDF\n\nLocation   project\nProvider   claude\nOrigin     local\nSeen by    Claude Code: read by the agent itself\nTokens     about 12 when it is loaded\nFolder     ${sandbox.path(SKILLS, "pdf")}\n\n` +
        "Files:\n  references/forms.md  2.9 KiB\n  scripts/fill.py          9 B\n\n" +
        `Shadows:\n  ${sandbox.path("home/.claude/skills/pdf")}  claude, user\n\n` +
        `Problems:\n  ${sandbox.path(SKILLS, "pdf/SKILL.md")}:3: Front matter is not valid YAML and was read line by line: ` +
        'the description contains ": " without quotes; put the value in double quotes.\n' +
        `  ${sandbox.path(SKILLS, "pdf/SKILL.md")}: In this project 'pdf' loads this skill instead of yours in ` +
        `${sandbox.path("home/.claude/skills/pdf")}, which is shadowed. Rename one of them if you did not intend that.\n\n` +
        "Not published by the Skills extension (the tools still serve it):\n" +
        "  A strict reader refuses its front matter: SKILL.md frontmatter: line 3: a plain value cannot\n" +
        "  contain \": \"; quote the value. Write one 'key: value' a line, in quotes where it is needed.\n",
    );
  });

  test("an unknown name is one line with a suggestion and exit 1", async () => {
    const sandbox = createSandbox();
    sandbox.skill(`${SKILLS}/xlsx`);
    const { code, stderr, stdout } = await runCommand(sandbox, ["info", "xlxs"]);
    expect({ code, stderr, stdout }).toEqual({
      code: 1,
      stderr: "skills-mcp: Skill 'xlxs' not found. Did you mean: xlsx?\n",
      stdout: "",
    });
  });
});

describe("info of what is not served", () => {
  const errorOf = async (sandbox: Sandbox, ...args: string[]): Promise<string> => {
    const { code, stderr, stdout } = await runCommand(sandbox, ["info", ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    return stderr;
  };

  test("names what a skill is served as whose own name cannot be typed", async () => {
    const sandbox = createSandbox();
    sandbox.write(`${SKILLS}/cicd/SKILL.md`, skillText("CI/CD", "d"));
    expect(await errorOf(sandbox, "CI/CD")).toMatch(/it contains '\/'\..+ is served as 'CI-CD'\.\n$/);
    sandbox.write("project/library/login.md", "---\nkeywords: [login]\ndescription: d\n---\n");
    expect(await errorOf(sandbox, "CI/CD", "--library", "library")).toContain("is served as 'CI-CD'.");
    expect(await errorOf(sandbox, "a/b")).not.toContain("is served as");
  });

  test("says why a broken skill was skipped, and nothing else", async () => {
    const sandbox = createSandbox();
    const bad = sandbox.write(`${SKILLS}/bad/SKILL.md`, "no front matter");
    sandbox.write(`${SKILLS}/worse/SKILL.md`, "no front matter either");
    for (const name of ["bad", "BAD", "claude:bad"]) {
      expect(await errorOf(sandbox, name)).toMatch(
        new RegExp(
          `^skills-mcp: Skill '${name}' not found, because it was skipped: ${bad}:1: No front matter.+\\n$`,
        ),
      );
    }
    const file = sandbox.write("project/library/ui/button.md", "---\nkeywords: {\n---\n");
    expect(await errorOf(sandbox, "ui/button", "--library", "library")).toContain(
      `because it was skipped: ${file}:`,
    );
  });

  test("says that its plugin is turned off, and where", async () => {
    const sandbox = createSandbox();
    sandbox.skill("home/.claude/plugins/cache/p/tool");
    const plugins = { "p@m": { installPath: "cache/p" } };
    sandbox.write("home/.claude/plugins/installed_plugins.json", JSON.stringify({ version: 1, plugins }));
    const enabledPlugins = { "p@m": false, "gone@m": false };
    const settings = sandbox.write("home/.claude/settings.json", JSON.stringify({ enabledPlugins }));
    for (const name of ["p:tool", "claude:p:tool", "p@m:tool"])
      expect(await errorOf(sandbox, name)).toContain(
        `because the plugin 'p@m' is turned off in ${settings}.`,
      );
    expect(await errorOf(sandbox, "gone:tool")).toContain("Skill 'gone:tool' not found. ");
  });
});

describe("search", () => {
  test("finds words that stand apart, best first, and keeps to the limit", async () => {
    const sandbox = createSandbox();
    sandbox.skill(`${SKILLS}/pdf`, { description: "Merge files, also split them." });
    sandbox.skill(`${SKILLS}/csv`, { description: "Split tables." });
    sandbox.skill(`${SKILLS}/git`, { description: "Branches." });
    const found = (await commandJson(sandbox, "search", "merge split", "--json")) as {
      total: number;
      results: { name: string }[];
    };
    expect(found.results.map((result) => result.name)).toEqual(["pdf", "csv"]);
    const one = (await commandJson(
      sandbox,
      "search",
      "merge split",
      "--json",
      "--limit",
      "1",
    )) as typeof found;
    expect([one.total, one.results.length]).toEqual([2, 1]);
    expect((await runCommand(sandbox, ["search", "merge", "split", "--why"])).stdout).toMatch(
      /^pdf {2}claude, project · matched merge, split\n/m,
    );
    expect((await runCommand(sandbox, ["search", "quantum"])).stdout).toContain(
      'Nothing fits "quantum" well.',
    );
  });
});

describe("search --all-words", () => {
  test("finds only skills that hold every word, also in their text, and shows where", async () => {
    const sandbox = createSandbox();
    sandbox.skill(`${SKILLS}/pdf`, {
      description: "Merge files.",
      body: "Call the splitter to split pages.\n",
    });
    sandbox.skill(`${SKILLS}/csv`, { description: "Split tables." });
    const { stdout } = await runCommand(sandbox, ["search", "--all-words", "merge", "split"]);
    expect(stdout).toBe("pdf  .claude/skills/pdf\n  Call the splitter to split pages.\n");
    expect(
      await commandJson(sandbox, "search", "--all-words", "split", "--limit", "1", "--json"),
    ).toMatchObject({
      query: "split",
      limit: 1,
      total: 2,
      results: [{ installName: "csv", score: 1 }],
    });
  });
});

describe("validate", () => {
  test("explains each problem with file and line, and exits 1", async () => {
    const sandbox = createSandbox();
    const content = `---\nname: My_Skill\ndescription: ${"x".repeat(1_100)}\nallowed-tools:\n  - Bash\n---\n\nText.\n`;
    sandbox.write("project/my-skill/SKILL.md", content);
    const { code, stdout } = await runCommand(sandbox, ["validate", "my-skill"]);
    expect(code).toBe(1);
    expect(stdout).toContain(
      "error   my-skill/SKILL.md:2  The name 'My_Skill' may contain only a-z, 0-9 and '-'. Try 'my-skill'. [name-characters]",
    );
    expect(stdout).toContain(
      "my-skill/SKILL.md:3  The description is 1100 characters long; the limit is 1,024.",
    );
    expect(stdout).toContain("my-skill/SKILL.md:4  allowed-tools must be one string");
    expect(stdout).toMatch(/1 file checked: 4 errors, 1 advice\.\n$/);
  });

  test("advice alone is fine, and --json has all of it", async () => {
    const sandbox = createSandbox();
    sandbox.write("project/s/short/SKILL.md", skillText("short", "Short.", "Body.\n"));
    const { code, stdout } = await runCommand(sandbox, ["validate", "s", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      valid: true,
      files: [
        {
          file: sandbox.path("project/s/short/SKILL.md"),
          name: "short",
          findings: [expect.objectContaining({ severity: "advice", rule: "description-says-when", line: 3 })],
        },
      ],
    });
  });

  test("a path without skills, or none at all, is an error", async () => {
    const sandbox = createSandbox();
    expect(await runCommand(sandbox, ["validate", "nowhere"])).toMatchObject({ code: 1 });
    expect((await runCommand(sandbox, ["validate", "."])).stdout).toContain("There is no SKILL.md");
    expect(await runCommand(sandbox, ["validate"])).toMatchObject({ code: 2 });
  });

  test("the bundled examples are valid without a word of advice", async () => {
    const { code, stdout } = await runCommand(createSandbox(), ["validate", "examples/skills"], {
      cwd: process.cwd(),
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/0 errors, 0 advice/);
  });
});

describe("the log", () => {
  function withProblems(): Sandbox {
    const sandbox = createSandbox();
    sandbox.write(`${SKILLS}/pdf/SKILL.md`, skillText("pdf", "Use when: PDF"));
    sandbox.write(`${SKILLS}/bad/SKILL.md`, "no front matter");
    return sandbox;
  }

  test.each([[["list"]], [["search", "pdf"]]])("of %j has a time and a level on each line", async (args) => {
    const { code, stderr } = await runCommand(withProblems(), args);
    expect(code).toBe(0);
    expect(stderr.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z error skipped: .+bad\/SKILL\.md:1: /),
      expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z warn {2}\S+pdf\/SKILL\.md:3: /),
    ]);
  });

  test("--log-level error leaves warnings out", async () => {
    const { stdout, stderr } = await runCommand(withProblems(), ["list", "--log-level", "error"]);
    expect(stdout).toContain("1 skill\n");
    expect(stderr).toMatch(/^\S+ error skipped: [^\n]+\n$/);
  });

  test("--log-format json is one object a line, for a server too, whose stdout carries the protocol alone", async () => {
    for (const command of [["list", "--json"], ["mcp"]]) {
      const { stderr, stdout } = await runCommand(withProblems(), [...command, "--log-format=json"]);
      const lines = stderr.trimEnd().split("\n");
      for (const line of lines)
        expect(Object.keys(JSON.parse(line) as object)).toEqual(["time", "level", "message"]);
      expect(stdout).toMatch(command[0] === "mcp" ? /^$/ : /^\{\n/);
    }
  });
});

test("colours are for terminals, unless they are forced", () => {
  const sandbox = createSandbox();
  sandbox.skill(`${SKILLS}/pdf`);
  sandbox.write(`${SKILLS}/bad/SKILL.md`, "no front matter");
  const colours = (env: Readonly<Record<string, string>>) => {
    const { stdout, stderr } = runBin(sandbox, ["list"], { env });
    return [stdout, stderr].map((text) => text.includes("\u001B["));
  };
  expect(colours({})).toEqual([false, false]);
  expect(colours({ FORCE_COLOR: "1" })).toEqual([true, true]);
  expect(colours({ FORCE_COLOR: "0" })).toEqual([false, false]);
});

describe("the command line itself", () => {
  test.each([
    [["mcp", "--nope"], "Unknown flag '--nope' for mcp. Add --help to see all flags."],
    [["--hlp"], "Unknown flag '--hlp' for mcp. Did you mean --help?"],
    [["list", "--hlp"], "Unknown flag '--hlp' for list. Did you mean --help?"],
    [["mcp", "--no-plugin"], "Unknown flag '--no-plugin' for mcp. Did you mean --no-plugins?"],
    [
      ["mcp", "--refresh-interval", "abc"],
      "--refresh-interval takes a whole number from 1 to 2147483647, not 'abc'.",
    ],
    [["mcp", "--refresh-interval", "0"], "not '0'."],
    [["mcp", "--refresh-interval=-5"], "not '-5'."],
    [["mcp", "--refresh-interval", "-5"], "not '-5'."],
    [["mcp", "--description", "html"], "--description takes xml or list, not 'html'."],
    [["list", "--log-level", "loud"], "--log-level takes debug, info, warn or error, not 'loud'."],
    [["validate", ".", "--log-format", "xml"], "--log-format takes text or json, not 'xml'."],
    [["mcp", "--tools", "nope"], "--tools does not accept 'nope'."],
    [["list", "--include", "codex:@plugins"], "Invalid filter 'codex:@plugins'"],
    [["list", "--skill-dir"], "--skill-dir needs a value: --skill-dir <dir>."],
    [["list", "extra"], "list takes no arguments, but got 'extra'."],
    [["info"], "info takes one skill name"],
    [["lst"], "Unknown command 'lst'. Did you mean 'list'?"],
    [["serve", "list"], "serve takes no arguments, but got 'list'. Name one command: skills-mcp list …."],
    [["validate", ""], "validate needs a path"],
    [["serve", "--port", "+80"], "not '+80'."],
    [["serve", "--host", "not a host"], "--host takes an address or a host name, not 'not a host'."],
    [["list", "--include", ":pdf"], "Invalid filter ':pdf': there is nothing before the colon."],
    [["list", "--exclude", "@@office"], "Invalid filter '@@office': use a single @."],
    [["--port", "99999"], "--port takes a whole number from 0 to 65535, not '99999'"],
  ])("%j is one clear line and exit 2", async (args, message) => {
    const { code, stdout, stderr } = await runCommand(createSandbox(), args);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  test("--version is the package's, --help names every command, and each one has its own", async () => {
    const sandbox = createSandbox();
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect(runBin(sandbox, ["--version"]).stdout).toBe(`${version}\n`);
    const printed = async (...args: string[]): Promise<string> => (await runCommand(sandbox, args)).stdout;
    expect(await printed("help", "list")).toBe(await printed("list", "--help"));
    const help = await printed("--help");
    for (const command of Object.keys(COMMANDS)) {
      expect(help).toContain(`  ${command} `);
      expect(await printed(command, "--help")).toContain(`skills-mcp ${command}`);
    }
  });
});
