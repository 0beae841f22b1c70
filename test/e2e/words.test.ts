import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { BIN, environmentOf, NODE, runBin } from "../support/bin.ts";
import { commandJson, runCommand } from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

/** A repository of three skills beside the project, and what commits a change to it. */
function withRepository(): { readonly sandbox: Sandbox; readonly publish: (body: string) => void } {
  const sandbox = createSandbox();
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: sandbox.path("team"),
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" },
    });
  const publish = (body: string): void => {
    for (const name of ["pdf", "commit", "review"]) sandbox.skill(`team/skills/${name}`, { body });
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "change");
  };
  publish("first\n");
  return { sandbox, publish };
}

const installed = ({ project }: Sandbox): readonly string[] => {
  const folder = path.join(project, ".agents/skills");
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};

describe("someone who only knows `npx skills`", () => {
  test("installs, lists, finds, updates, restores and removes with that tool's words", () => {
    const { sandbox, publish } = withRepository();
    const source = `file://${sandbox.path("team")}`;
    const run = (line: string) => {
      const ran = runBin(sandbox, line.split(" "));
      // A machine that is busy says how far it is.
      const said = ran.stderr.replaceAll(/^\S+ info +(?:receiving|writing) .*\n/gm, "");
      expect(`${line}: ${ran.code} ${said}`).toBe(`${line}: 0 `);
      return ran.stdout;
    };
    expect(run(`add ${source} --list`)).toMatch(/^pdf +skills\/pdf +Does pdf things\.$/m);
    expect(run(`add ${source} -l`)).toContain("3 skills. Nothing was installed");
    expect(installed(sandbox)).toEqual([]);

    run(`add ${source} --skill pdf commit --agent claude-code cursor -y`);
    expect(installed(sandbox)).toEqual(["commit", "pdf"]);
    for (const agent of [".claude", ".cursor"])
      expect(readdirSync(path.join(sandbox.project, agent, "skills")).sort()).toEqual(["commit", "pdf"]);
    expect(run(`add ${source} -g -s review -a claude-code -y`)).toContain(
      "1 skill added to ~/.agents/skills",
    );

    expect(run("list")).toContain("3 skills");
    expect(run("ls -g")).toMatch(/^review .*\n\n1 skill\n$/m);
    expect(run("ls -a claude-code")).toContain("3 skills");
    expect(JSON.parse(run("ls -p --json"))).toMatchObject({ skills: [{ name: "commit" }, { name: "pdf" }] });
    expect(run("find pdf")).toContain("Does pdf things.");

    publish("second\n");
    expect(run("check")).toContain("update available");
    run("update pdf -y");
    expect(readFileSync(path.join(sandbox.project, ".agents/skills/pdf/SKILL.md"), "utf8")).toContain(
      "second",
    );
    expect(run("upgrade -p -y")).toContain("1 skill updated");
    expect(run("update -g -y")).toContain("1 skill updated");

    execFileSync("rm", ["-r", path.join(sandbox.project, ".agents")]);
    expect(run("install")).toContain("2 skills added");
    expect(installed(sandbox)).toEqual(["commit", "pdf"]);

    run("remove pdf -a cursor -y");
    expect(existsSync(path.join(sandbox.project, ".cursor/skills/pdf"))).toBe(false);
    expect(existsSync(path.join(sandbox.project, ".agents/skills/pdf"))).toBe(true);
    run("rm --global review");
    run("remove -s pdf -y");
    expect(installed(sandbox)).toEqual(["commit"]);
    run("uninstall --all -y");
    expect(installed(sandbox)).toEqual([]);
    run("undo -y");
    expect(installed(sandbox)).toEqual(["commit"]);
    run("init my-skill -y");
    expect(run("show my-skill")).toContain("my-skill");
  });

  test("`--skill '*'` is every skill, and `i` with a source is add", async () => {
    const { sandbox } = withRepository();
    expect((await runCommand(sandbox, ["i", "../team", "--skill", "*"])).code).toBe(0);
    expect(installed(sandbox)).toEqual(["commit", "pdf", "review"]);
    expect((await runCommand(sandbox, ["rm", "-s", "*"])).code).toBe(0);
    expect(installed(sandbox)).toEqual([]);
  });

  test("`remove --all` without -g removes nothing of the user", async () => {
    const { sandbox } = withRepository();
    await runCommand(sandbox, ["add", "../team", "--all", "-g"]);
    for (const all of ["--all", "--skill=*"]) {
      const { code, stdout } = await runCommand(sandbox, ["remove", all, "-y"]);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: `No installed skills: ${path.join(sandbox.project, "skills-lock.json")} has none.\n`,
      });
    }
    expect(readdirSync(path.join(sandbox.home, ".agents/skills"))).toHaveLength(3);
    expect((await runCommand(sandbox, ["remove", "--all", "-g", "-y"])).stdout).toContain("3 skills removed");
  });

  test("`--agent '*'` is every agent on the machine", async () => {
    const { sandbox } = withRepository();
    const args = ["add", "../team", "pdf", "-a", "*"];
    expect(await runCommand(sandbox, args)).toMatchObject({
      code: 2,
      stderr: "skills-mcp: --agent '*' means the agents on this machine, and none was found. Name one.\n",
    });
    sandbox.write("home/.claude/settings.json", "{}");
    expect((await runCommand(sandbox, args)).code).toBe(0);
    expect(readdirSync(path.join(sandbox.project, ".claude/skills"))).toEqual(["pdf"]);
  });
});

test.each([
  ["ls", "list"],
  ["show", "info"],
  ["a", "add"],
  ["i", "install"],
  ["rm", "remove"],
  ["uninstall", "remove"],
  ["upgrade", "update"],
  ["check", "outdated"],
  ["init", "new"],
])("aliases: %s is %s", (alias, name) => {
  const sandbox = createSandbox();
  const help = runBin(sandbox, [alias, "--help"]);
  expect(help).toEqual(runBin(sandbox, [name, "--help"]));
  expect(help.stdout).toContain(alias);
});

test("aliases: version is --version", () => {
  const sandbox = createSandbox();
  expect(runBin(sandbox, ["version"])).toEqual(runBin(sandbox, ["--version"]));
});

test.each([
  ...["add ../team", "remove", "update", "sync", "undo", "connect", "disconnect", "hook install", "approve"],
  ...["install", "new x", "publish --dir site"],
])("aliases: %s takes -y and --yes", async (line) => {
  const { sandbox } = withRepository();
  for (const yes of ["-y", "--yes"]) {
    const { stderr } = await runCommand(sandbox, [...line.split(" "), yes, "--user-dir", sandbox.home]);
    expect(stderr).not.toContain("Unknown flag");
  }
});

/** What each command says of the agent that a word means. */
const TAKERS: readonly (readonly [
  name: string,
  said: (sandbox: Sandbox, agent: string) => Promise<unknown>,
])[] = [
  ["connect", (sandbox, agent) => commandJson(sandbox, "connect", agent, "--dry-run", "--json")],
  ["disconnect", (sandbox, agent) => commandJson(sandbox, "disconnect", agent, "--dry-run", "--json")],
  ["hook install", (sandbox, agent) => commandJson(sandbox, "hook", "install", agent, "--dry-run", "--json")],
  ["doctor", (sandbox, agent) => commandJson(sandbox, "doctor", "--client", agent, "--json")],
  ["disable", (sandbox, agent) => commandJson(sandbox, "disable", "own", "--agent", agent, "--json")],
  ["enable", (sandbox, agent) => commandJson(sandbox, "enable", "own", "--agent", agent, "--json")],
  [
    "add",
    (sandbox, agent) => commandJson(sandbox, "add", "../team", "pdf", "-a", agent, "--json", "--dry-run"),
  ],
  ["list", (sandbox, agent) => commandJson(sandbox, "list", "-a", agent, "--json")],
];

describe("one vocabulary of agents", () => {
  test.each(TAKERS)("%s takes every name of an agent", async (name, said) => {
    const { sandbox } = withRepository();
    sandbox.skill("home/.claude/skills/own");
    sandbox.skill("home/.copilot/skills/other");
    for (const [id, ...others] of [
      ["claude-code", "claude", "Claude Code", "CLAUDE_CODE"],
      ["copilot-cli", "copilot", "github-copilot", "Copilot CLI"],
    ] as const) {
      // What the first call changes is no reason for a difference.
      await said(sandbox, id);
      const expected = await said(sandbox, id);
      for (const other of others)
        expect({ name, other, said: await said(sandbox, other) }).toEqual({ name, other, said: expected });
    }
  });

  test.each([
    ["add ../team pdf -a"],
    ["remove pdf -a"],
    ["list -a"],
    ["connect"],
    ["disconnect"],
    ["hook install"],
    ["doctor --client"],
    ["disable pdf --agent"],
    ["enable pdf --agent"],
  ])("%s refuses a word that is none, with the nearest", async (line) => {
    const { sandbox } = withRepository();
    await runCommand(sandbox, ["add", "../team", "pdf"]);
    expect(await runCommand(sandbox, [...line.split(" "), "cluade-code"])).toEqual({
      code: 2,
      stdout: "",
      stderr: "skills-mcp: Unknown agent 'cluade-code'. Did you mean claude-code?\n",
    });
  });

  test("doctor shows what a client gets that is like no agent", async () => {
    const { sandbox } = withRepository();
    const { code, stdout } = await runCommand(sandbox, ["doctor", "--client", "zzzz@1.0"]);
    expect(code).toBe(0);
    expect(stdout).toContain("zzzz 1.0 is not a known client");
  });
});

test.each([
  ["lst", "Unknown command 'lst'. Did you mean 'list'?"],
  ["instal", "Unknown command 'instal'. Did you mean 'install'?"],
  ["uninstal x", "Unknown command 'uninstal'. Did you mean 'uninstall'?"],
  ["experimental_install", "Unknown command 'experimental_install'. Did you mean 'install'?"],
  ["qqqq", "Unknown command 'qqqq'. Run skills-mcp --help for a list."],
  ["add x --replce", "Unknown flag '--replce' for add. Did you mean --replace?"],
  ["remove x --dryrun", "Unknown flag '--dryrun' for remove. Did you mean --dry-run?"],
  ["list --remote", "Unknown flag '--remote' for list. It is a flag of verify."],
  ["info x -l", "Unknown flag '-l' for info. It is a flag of add, install and connect."],
  ["sync --qqqq", "Unknown flag '--qqqq' for sync. Add --help to see all flags."],
  ["install --replce", "Unknown flag '--replce' for install. Did you mean --replace?"],
  ["install --replace", "Unknown flag '--replace' for sync. It is a flag of add and install."],
  ["list --format jsn", "--format takes plain, json or names, not 'jsn'. Did you mean 'json'?"],
  ["list --log-level wran", "--log-level takes debug, info, warn or error, not 'wran'. Did you mean 'warn'?"],
  ["completion bsh", `not 'bsh': eval "$(skills-mcp completion bash)". Did you mean 'bash'?`],
  ["hook instal", "not 'instal': skills-mcp hook install. Did you mean 'install'?"],
])("nearest neighbour: '%s'", async (line, message) => {
  const { code, stdout, stderr } = await runCommand(createSandbox(), line.split(" "));
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^skills-mcp: [^\n]+\n$/);
  expect(stderr).toContain(message);
});

test("remove --agent takes a link or a copy away, tells the lock, and undo brings it back", async () => {
  const { sandbox } = withRepository();
  const copy = path.join(sandbox.project, ".claude/skills/pdf");
  const lock = () => readFileSync(path.join(sandbox.project, "skills-lock.json"), "utf8");
  await runCommand(sandbox, ["add", "../team", "pdf", "-a", "claude", "cursor", "--copy"]);
  const before = lock();
  expect(before).toContain(".claude/skills/pdf");
  const removed = await runCommand(sandbox, ["remove", "pdf", "-a", "Claude Code"]);
  expect(removed.stdout).toMatch(
    /^update +pdf +\.\.\/team, removed from \.claude\/skills\n1 skill updated\./,
  );
  expect(existsSync(copy)).toBe(false);
  expect(lock()).not.toContain(".claude/skills/pdf");
  expect(lock()).toContain(".cursor/skills/pdf");
  expect((await runCommand(sandbox, ["remove", "pdf", "-a", "claude"])).stdout).toContain(
    "Claude Code has no link to it and no copy of it",
  );
  expect((await runCommand(sandbox, ["undo"])).code).toBe(0);
  expect(existsSync(copy)).toBe(true);
  expect(lock()).toBe(before);
});

describe("add", () => {
  test("--dry-run of a source with several skills shows what is there, as --list does", async () => {
    const { sandbox } = withRepository();
    const listed = await runCommand(sandbox, ["add", "../team", "--list"]);
    expect(listed.stdout).toBe(`SKILL   PATH           DESCRIPTION
commit  skills/commit  Does commit things.
pdf     skills/pdf     Does pdf things.
review  skills/review  Does review things.

3 skills. Nothing was installed: name skills after the source, or pass --all.
`);
    expect(await runCommand(sandbox, ["add", "../team", "--dry-run"])).toEqual(listed);
    expect(await commandJson(sandbox, "add", "../team", "--list", "--json")).toMatchObject({
      dryRun: true,
      plan: [],
      available: [
        { name: "commit", path: "skills/commit", description: "Does commit things." },
        { name: "pdf" },
        { name: "review" },
      ],
    });
    expect(readdirSync(sandbox.project)).toEqual([]);
  });

  test("a name that is not there gets the nearest one, or a few of those that are", async () => {
    const { sandbox } = withRepository();
    expect((await runCommand(sandbox, ["add", "../team", "pdff"])).stderr).toBe(
      "skills-mcp: '../team' contains no skill 'pdff'. Did you mean 'pdf'?\n",
    );
    for (let number = 0; number < 30; number++) sandbox.skill(`team/skills/many-${number}`);
    const { stderr } = await runCommand(sandbox, ["add", "../team", "qqqq"]);
    expect(stderr).toContain(" and 13 more (skills-mcp add ../team --list shows all).");
  });

  test("ends with the place, the agents that see the skills, and the conflicts", async () => {
    const { sandbox } = withRepository();
    sandbox.write("home/.codex/config.toml", "");
    sandbox.write("home/.claude/settings.json", "{}");
    sandbox.write("home/.cursor/mcp.json", "{}");
    await runCommand(sandbox, ["connect", "cursor"]);
    sandbox.skill("project/.agents/skills/review", { body: "my own" });
    const { code, stdout } = await runCommand(sandbox, ["add", "../team", "--all"]);
    expect(code).toBe(1);
    expect(stdout.split("\n").slice(-6)).toEqual([
      "2 skills added to .agents/skills of this project. skills-mcp undo takes it back.",
      expect.stringMatching(/^Read from disk by Codex/),
      expect.stringMatching(/^Seen through skills-mcp by .*Cursor/),
      "Not seen yet by Claude Code: skills-mcp connect claude-code",
      "1 conflict, shown above; nothing of review was changed.",
      "",
    ]);
  });
});

/** `script` of util-linux gives the command a terminal, as a person has one. `keys` are sent when their text is shown. */
async function onTerminal(sandbox: Sandbox, line: string, keys: readonly (readonly [RegExp, string])[]) {
  const command = `stty rows 24 cols 80; exec ${NODE} ${BIN} ${line}`;
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    cwd: sandbox.project,
    env: { ...environmentOf(sandbox), TERM: "xterm" },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let shown = "";
  let seen = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
  });
  const exit = new Promise<number | null>((resolve) => child.on("close", resolve));
  for (const [text, pressed] of keys) {
    await waitUntil(
      `the terminal shows ${text}`,
      () => text.test(shown.slice(seen)) || child.exitCode !== null,
    );
    seen = shown.length;
    child.stdin.write(pressed);
  }
  const code = await exit;
  // Without the sequences that colour text and move the cursor.
  return { code, raw: shown, text: shown.replaceAll(/\u001B\[[\d;?]*[A-Za-z]/g, "") };
}

describe.runIf(process.platform === "linux")("the picker of add", () => {
  const TAB = "\t";
  const ENTER = "\r";

  test("filters as one types, goes on after a typo, and installs what was picked", async () => {
    const { sandbox } = withRepository();
    const { code, text } = await onTerminal(sandbox, "add ../team", [
      [/Type:.*to search/s, ENTER],
      [/select at least one/, "zzz"],
      [/No matches found/, "\u007F\u007F\u007F"],
      [/review/, "review thing"],
      [/1 match\b/, TAB],
      [/◼/, ENTER],
    ]);
    expect(text).toContain("Which skills of ../team?");
    expect(text).toMatch(/commit +Does commit things\./);
    expect(code).toBe(0);
    expect(installed(sandbox)).toEqual(["review"]);
  });

  test("has one row for all", async () => {
    const { sandbox } = withRepository();
    const { code } = await onTerminal(sandbox, "add ../team", [
      [/Type:.*to search/s, "all"],
      [/1 match\b/, TAB],
      [/◼/, ENTER],
    ]);
    expect(code).toBe(0);
    expect(installed(sandbox)).toEqual(["commit", "pdf", "review"]);
  });

  test("Ctrl+C changes nothing and exits with 130", async () => {
    const { sandbox } = withRepository();
    const { code, text } = await onTerminal(sandbox, "add ../team", [[/Type:.*to search/s, "\u0003"]]);
    expect(code).toBe(130);
    expect(text).toMatch(/\nskills-mcp: Nothing was changed\.\r?\n$/);
    expect(readdirSync(sandbox.project)).toEqual([]);
  });

  test("shows no control characters of a source", async () => {
    const { sandbox } = withRepository();
    sandbox.write(
      "team/skills/evil/SKILL.md",
      '---\nname: "evil\\e]0;owned\\a"\ndescription: "x\\e[2J\\u202Ereversed\\nline"\n---\n',
    );
    const { raw } = await onTerminal(sandbox, "add ../team", [[/Type:.*to search/s, "\u0003"]]);
    expect(raw).toContain("evil");
    expect(raw).not.toContain("\u001B]0;");
    expect(raw).not.toContain("\u001B[2J");
    expect(raw).not.toContain("\u202E");
  });

  test("remove without names shows what is installed", async () => {
    const { sandbox } = withRepository();
    await runCommand(sandbox, ["add", "../team", "--all"]);
    const { code } = await onTerminal(sandbox, "remove", [
      [/Type:.*to search/s, "pdf"],
      [/1 match\b/, TAB],
      [/◼/, ENTER],
    ]);
    expect(code).toBe(0);
    expect(installed(sandbox)).toEqual(["commit", "review"]);
  });
});
