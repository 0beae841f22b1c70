// Runs every command of an installed package: its help, and something that it is for.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../bootstrap.mjs";

/** In this order, for each command a call and what it prints; with `repository`, SKILLS_REPO is set. Servers have none here. */
const CALLS = [
  ["status", [], /Skills +2/],
  ["list", ["--json"], /"name": "pdf"/],
  ["info", ["pdf"], /Provider +claude/],
  ["search", ["read the pages of a document"], /pdf/],
  ["refresh", [], /repository/, "repository"],
  ["validate", [], /ok +\.claude\/skills\/pdf/],
  ["audit", [], /audited/],
  ["publish", ["--dir", "../site"], /pdf/],
  ["add", ["../source", "--all"], /1 skill added/],
  ["outdated", [], /deploy/],
  ["update", [], /up to date/],
  ["sync", [], /as locked/],
  ["verify", [], /as locked/],
  ["remove", ["deploy"], /1 skill removed/],
  ["undo", [], /1 skill added/],
  ["new", ["greet"], /Created/],
  ["eval", [], /prompts/],
  ["stats", [], /used/],
  ["approve", [], /approval/],
  ["doctor", [], /skills/],
  ["connect", ["claude-code", "--dry-run"], /mcpServers/],
  ["disconnect", ["claude-code", "--dry-run"], /Claude Code/],
  ["hook", ["status"], /Claude Code/],
  ["config", [], /matching\.min_score/],
  ["disable", ["pdf"], /Disabled pdf/],
  ["enable", ["pdf"], /Enabled pdf/],
  ["completion", ["bash"], /skills-mcp/],
];
export const SERVERS = ["mcp", "mcp-server", "serve"];

/** What a bundle that lacks something says. */
const BROKEN = /cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|internal error/i;

/** The number of commands. `scratch` is an empty folder; `cli` is the installed program. */
export function useCommands(cli, scratch) {
  const table = readFileSync(path.join(root, "packages/cli/src/command-table.ts"), "utf8");
  const commands = [...table.matchAll(/^ {2}"([\w-]+)": \{/gm)].map(([, name]) => name);
  const called = [...SERVERS, ...CALLS.map(([name]) => name)];
  const forgotten = commands.filter((name) => !called.includes(name));
  if (commands.length === 0 || forgotten.length > 0)
    throw new Error(`scripts/package/use-commands.mjs calls no ${forgotten.join(", ") || "command"}.`);

  writeMachine(scratch);
  const home = path.join(scratch, "home");
  const own = { PATH: process.env.PATH, HOME: home, USERPROFILE: home, NO_COLOR: "1" };
  const use = (args, expected, repository) => {
    const env = repository
      ? { ...own, SKILLS_REPO: pathToFileURL(path.join(scratch, repository)).href }
      : own;
    const options = { cwd: path.join(scratch, "project"), env, encoding: "utf8", input: "" };
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], options);
    const output = `${stdout}${stderr}`;
    if ((status === 0 || status === 1) && !BROKEN.test(output) && expected.test(output)) return;
    throw new Error(`skills-mcp ${args.join(" ")} ended with ${status}:\n${output}`);
  };
  for (const name of commands) use([name, "--help"], new RegExp(`skills-mcp ${name}`));
  for (const [name, args, expected, repository] of CALLS) use([name, ...args], expected, repository);
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
