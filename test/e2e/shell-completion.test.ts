import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { BIN, environmentOf, NODE, runBin } from "../support/bin.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

/** What bash offers for each line, in one shell. Readline splits words at `=` and `:` too. */
function completions(sandbox: Sandbox, lines: readonly string[]): readonly (readonly string[])[] {
  const program = sandbox.write("bin/skills-mcp", `#!/bin/sh\nexec "${NODE}" "${BIN}" "$@"\n`);
  chmodSync(program, 0o755);
  const asked = lines.map((line) => {
    const words = line.split(/ +|(?<=[^ ])(?=[=:])|(?<=[=:])/).map((word) => `'${word}'`);
    return `COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}
COMP_LINE='${line}'; COMP_POINT=${line.length}; _skills_mcp skills-mcp
printf '%s\\n' "\${COMPREPLY[@]}" ---`;
  });
  const script = `eval "$(skills-mcp completion bash)"\n${asked.join("\n")}\n`;
  const { PATH = "", ...env } = environmentOf(sandbox);
  const { stdout, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-c", script], {
    cwd: sandbox.project,
    env: { ...env, PATH: `${sandbox.path("bin")}:${PATH}` },
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout.split("---\n").map((part) => part.split("\n").filter((reply) => reply !== ""));
}

describe.skipIf(!has("bash"))("bash", () => {
  test("completes commands, flags, values, paths and skills, and runs nothing that a name says", () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    sandbox.skill("project/.claude/skills/evil", { name: "'$(touch evil-ran)'" });
    sandbox.skill("home/.claude/plugins/cache/office/docx");
    sandbox.write(
      "home/.claude/plugins/installed_plugins.json",
      JSON.stringify({ plugins: { "office@m": { installPath: "cache/office" } } }),
    );
    const [command, flag, choice, inline, folder, skills, plugin, evil, leading, text, shell] = completions(
      sandbox,
      [
        "skills-mcp li",
        "skills-mcp list --no-pl",
        "skills-mcp list --log-level ",
        "skills-mcp --description=l",
        "skills-mcp list --skill-dir .cl",
        "skills-mcp info p",
        "skills-mcp info office:d",
        "skills-mcp info $",
        "skills-mcp --user-dir list inf",
        "skills-mcp list --include ",
        "skills-mcp completion ",
      ],
    );
    expect(command).toEqual(["list"]);
    expect(flag).toEqual(["--no-plugins"]);
    expect(choice).toEqual(["debug", "info", "warn", "error"]);
    expect(inline).toEqual(["list"]);
    expect(folder).toEqual([".claude"]);
    expect(skills).toEqual(["pdf"]);
    expect(plugin).toEqual(["docx"]);
    expect(evil).toEqual(["\\$\\(touch\\ evil-ran\\)"]);
    expect(leading).toEqual(["info"]);
    expect(text).toEqual([]);
    expect(shell).toEqual(["bash", "zsh", "fish", "powershell"]);
    expect(existsSync(sandbox.path("project/evil-ran"))).toBe(false);
  });
});

test.each(["zsh", "fish"])("the script for %s is valid there, and is one of that shell", (shell) => {
  const sandbox = createSandbox();
  const script = runBin(sandbox, ["completion", shell]).stdout;
  expect(script).toContain(shell === "zsh" ? "#compdef skills-mcp" : "complete -c skills-mcp -f");
  if (!has(shell)) return;
  const file = sandbox.write("project/script", script);
  const { status, stderr } = spawnSync(shell, ["-n", file], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  if (shell === "zsh") return;
  const typed = spawnSync(shell, ["-c", `source ${file}; complete -C 'skills-mcp verif'`], {
    encoding: "utf8",
  });
  expect(typed.stdout).toMatch(/^verify\t/);
});

test.each([[[]], [["tcsh"]], [["bash", "zsh"]]])("completion %j is refused with the shells", (args) => {
  const { code, stderr } = runBin(createSandbox(), ["completion", ...args]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^skills-mcp: completion takes bash, zsh, fish or powershell.*\n$/);
});

test("the manual page is a page of section 1 without errors", () => {
  const page = readFileSync("dist/man/skills-mcp.1", "utf8");
  expect(page).toMatch(/^\.TH SKILLS\\-MCP 1 /);
  expect(page).toMatch(/^[\x20-\x7E\n]+$/);
  if (!has("groff")) return;
  const shown = spawnSync("groff", ["-man", "-Tascii", "-ww"], { input: page, encoding: "utf8" });
  expect([shown.status, shown.stderr]).toEqual([0, ""]);
  expect(shown.stdout).toContain("SKILLS-MCP(1)");
});
