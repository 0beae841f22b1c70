// Runs every command of an installed package: its help, and something that it is for.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../bootstrap.mjs";

/** In this order, a call of each command and what it prints; `repository` is what SKILLS_REPO names. Servers have none here. */
const CALLS = [
  { args: ["status"], prints: /Skills +2/ },
  { args: ["list", "--json"], prints: /"name": "pdf"/ },
  { args: ["info", "pdf"], prints: /Provider +claude/ },
  { args: ["search", "read the pages of a document"], prints: /pdf/ },
  { args: ["find", "document"], prints: /no host was contacted/ },
  { args: ["login", "127.0.0.1:4700"], prints: /Kept the token/, input: "token\n" },
  { args: ["logout", "127.0.0.1:4700"], prints: /Removed the token/ },
  { args: ["refresh"], prints: /repository/, repository: "repository" },
  { args: ["validate"], prints: /ok +\.claude\/skills\/pdf/ },
  { args: ["audit"], prints: /audited/ },
  { args: ["publish", "--yes", "--dir", "../site"], prints: /pdf/ },
  { args: ["add", "../source", "--all"], prints: /1 skill added/ },
  { args: ["outdated"], prints: /deploy/ },
  { args: ["update"], prints: /up to date/ },
  { args: ["sync"], prints: /as locked/ },
  { args: ["install"], prints: /as locked/ },
  { args: ["verify"], prints: /unchanged/ },
  { args: ["remove", "deploy"], prints: /1 skill removed/ },
  { args: ["undo"], prints: /1 skill added/ },
  { args: ["new", "greet"], prints: /Created/ },
  { args: ["eval"], prints: /prompts/ },
  { args: ["stats"], prints: /used/ },
  { args: ["approve"], prints: /approval/ },
  { args: ["doctor"], prints: /skills/ },
  { args: ["connect", "claude-code", "--dry-run"], prints: /mcpServers/ },
  { args: ["disconnect", "claude-code", "--dry-run"], prints: /Claude Code/ },
  { args: ["hook", "status"], prints: /Claude Code/ },
  { args: ["config"], prints: /matching\.min_score/ },
  { args: ["disable", "pdf"], prints: /Disabled pdf/ },
  { args: ["enable", "pdf"], prints: /Enabled pdf/ },
  { args: ["completion", "bash"], prints: /skills-mcp/ },
  { args: ["version"], prints: /^\d+\.\d+\.\d+/m },
];
const SERVERS = ["mcp", "mcp-server", "serve"];

/** What a bundle that lacks something says. */
const BROKEN = /cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|internal error/i;

/** The number of commands. `scratch` is an empty folder; `cli` is the installed program. */
export function useCommands(cli, scratch) {
  const table = readFileSync(path.join(root, "packages/cli/src/command-table.ts"), "utf8");
  const commands = [...table.matchAll(/^ {2}"([\w-]+)": \{/gm)].map(([, name]) => name);
  const called = new Set([...SERVERS, ...CALLS.map(({ args: [name] }) => name)]);
  const forgotten = commands.filter((name) => !called.has(name));
  if (commands.length === 0 || forgotten.length > 0)
    throw new Error(`scripts/package/use-commands.mjs calls no ${forgotten.join(", ") || "command"}.`);

  writeMachine(scratch);
  const home = path.join(scratch, "home");
  const own = { PATH: process.env.PATH, HOME: home, USERPROFILE: home, NO_COLOR: "1" };
  const use = ({ args, prints, repository, input = "" }) => {
    const env = repository
      ? { ...own, SKILLS_REPO: pathToFileURL(path.join(scratch, repository)).href }
      : own;
    const options = { cwd: path.join(scratch, "project"), env, encoding: "utf8", input };
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], options);
    const output = `${stdout}${stderr}`;
    if ((status === 0 || status === 1) && !BROKEN.test(output) && prints.test(output)) return;
    throw new Error(`skills-mcp ${args.join(" ")} ended with ${status}:\n${output}`);
  };
  for (const name of commands) use({ args: [name, "--help"], prints: new RegExp(`skills-mcp ${name}`) });
  for (const call of CALLS) use(call);
  return commands.length;
}

/** A home folder, a project, a folder to install from and a repository. */
function writeMachine(scratch) {
  const skill = (folder, description) => {
    const name = path.basename(folder);
    mkdirSync(path.join(scratch, folder), { recursive: true });
    const text = `---\nname: ${name}\ndescription: ${description}\n---\n\n# Steps\n\n1. Read first.\n`;
    writeFileSync(path.join(scratch, folder, "SKILL.md"), text);
  };
  skill("home/.claude/skills/hello", "Greets people. Use when somebody says hello.");
  skill("project/.claude/skills/pdf", "Reads the pages of a PDF document. Use for any document.");
  skill("source/skills/deploy", "Deploys a service. Use when somebody wants a release.");
  skill("repository/skills/review", "Reviews a change. Use for every pull request.");
  const repository = path.join(scratch, "repository");
  const git = (...args) => execFileSync("git", args, { cwd: repository, stdio: "ignore" });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("-c", "user.name=check", "-c", "user.email=check@localhost", "commit", "-qm", "skills");
}
