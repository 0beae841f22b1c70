// Real agents from npm, a stub model on loopback, and the hook that `skills-mcp hook install` writes for them: the suggestion must
// be in the first request to the model, and nothing when no skill fits. The agents are those of check:hosts.
//   npm run check:hooks                       all agents that have hooks
//   npm run check:hooks -- claude codex       some
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ensureBuilt, root } from "./bootstrap.mjs";
import { HOSTS } from "./hosts/all-hosts.mjs";
import { sayNothing } from "./hosts/conversation.mjs";
import { runHost } from "./hosts/run-host.mjs";
import { versionOf } from "./hosts/versions.mjs";
import { addSkills, createWorld, MARK, TARGET } from "./hosts/world.mjs";

const BIN = path.join(root, "dist", "cli.js");
const FITTING = `${MARK}: someone uploads receipts and asks how to claim travel costs; check the expense report.`;
const OTHER = `${MARK}: thanks, that is all for today.`;

/** What `hook` calls them, the files that it writes, and what a user would do once by hand. */
const AGENTS = [
  { host: "claude", id: "claude-code", file: ".claude/settings.json" },
  { host: "codex", id: "codex", file: ".codex/hooks.json", args: ["--dangerously-bypass-hook-trust"] },
  { host: "gemini", id: "gemini-cli", file: ".gemini/settings.json" },
  { host: "qwen", id: "qwen-code", file: ".qwen/settings.json" },
  { host: "copilot", id: "copilot-cli", file: ".copilot/hooks/skills-mcp.json" },
];

const wanted = process.argv.slice(2);
const unknown = wanted.find((word) => !AGENTS.some(({ host }) => host === word));
if (unknown !== undefined) {
  console.error(`unknown agent '${unknown}'; use ${AGENTS.map(({ host }) => host).join(", ")}`);
  process.exit(2);
}
ensureBuilt();
let failures = 0;
console.log(line(["agent", "version", "fitting prompt", "other prompt", "removed"]));
for (const agent of AGENTS) {
  if (wanted.length > 0 && !wanted.includes(agent.host)) continue;
  const host = HOSTS.find(({ id }) => id === agent.host);
  const results = await check(agent, host).catch((error) => [`FAILED: ${error.message}`]);
  failures += results.filter((result) => result.startsWith("FAILED")).length;
  console.log(line([agent.id, versionOf(host.program), ...results]));
}
process.exitCode = failures === 0 ? 0 : 1;

function line(cells) {
  return cells
    .map((cell) => cell.padEnd(16))
    .join("  ")
    .trimEnd();
}

async function check(agent, host) {
  const [shown, bytes] = await ask(agent, host, FITTING);
  const expected = `The skill \`${TARGET}\` fits this task: load it with the skill tool (${host.tool}).`;
  const [silent] = await ask(agent, host, OTHER);
  return [
    shown.includes(expected) ? "suggested" : `FAILED: not in the first request: ${shown.slice(-400)}`,
    silent.includes("fits this task") ? "FAILED: a suggestion" : "nothing",
    bytes,
  ];
}

/** What the model is shown in its first request, and whether the agent's file is the same after `hook remove`. */
async function ask({ id, file, args = [] }, host, prompt) {
  const world = createWorld();
  try {
    addSkills(world, 60, 300);
    const target = path.join(world.home, file);
    let before;
    const conversation = sayNothing();
    const run = await runHost(host, {
      world,
      bin: BIN,
      prompt,
      conversation,
      prepare(plan) {
        before = read(target);
        hook(world, "install", id);
        // The words of a command stand before its flags.
        const [first, ...rest] = plan.args;
        return args.length === 0 ? plan : { ...plan, args: [first, ...args, ...rest] };
      },
    });
    const first = conversation.first();
    if (first === undefined)
      throw new Error(`the model was not asked; it ${run.how}: ${run.output.slice(-500)}`);
    const written = read(target);
    hook(world, "remove", id);
    const isSame = read(target) === before;
    const isOurs = !(read(target) ?? "").includes("hook run");
    const removed = isSame
      ? "same bytes"
      : isOurs && written !== undefined
        ? "entry only"
        : "FAILED: still there";
    return [`${first.system}\n${first.messages}`, removed];
  } finally {
    world.remove();
  }
}

function hook(world, verb, id) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, "hook", verb, id], {
    cwd: world.project,
    env: { PATH: process.env.PATH, HOME: world.home },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`hook ${verb} ended with ${status}: ${stdout}${stderr}`);
}

function read(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
