// Installs the plugins of a release with real agents, each in an empty home and without a network, by the commands of install.md: git is
// told where the repository of the release is on this machine.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { installHost } from "../hosts/versions.mjs";
import { PLUGIN_BRANCH, PRODUCT } from "./manifests.mjs";
import { createWorld, environmentOf, useServer } from "./use-server.mjs";

/** By agent. Takes the commands of install.md, and says what the agent shows of the server then; throws where it does not connect. */
export const PLUGIN_CHECKS = {
  async claude(release) {
    const { run, follow } = agent("claude", release);
    run("plugin", "validate", release.plugins);
    run("plugin", "validate", path.join(release.plugins, PRODUCT));
    follow();
    return must(run("mcp", "list"), /plugin:skills-mcp:skills: .*cli\.js.* Connected/);
  },
  // It reads no settings of git, so that the address in install.md leads to the network: the folder is installed instead.
  async gemini({ plugins, ...release }) {
    const { run } = agent("gemini", { plugins, ...release }, { GEMINI_CLI_TRUST_WORKSPACE: "true" });
    run("extensions", "validate", plugins);
    run("extensions", "install", plugins, "--consent");
    return must(run("mcp", "list"), /skills \(from skills-mcp\): .*cli\.js.* Connected/);
  },
  // It connects to servers in a session alone, so the entry that it made is started as it would start it.
  async codex(release) {
    const { run, follow, world } = agent("codex", release);
    follow();
    const { transport, enabled } = JSON.parse(run("mcp", "get", "skills", "--json").replace(/^[^{]*/, ""));
    if (!enabled || transport.cwd !== null) throw new Error(JSON.stringify(transport));
    return useServer(transport, world);
  },
};

/** A home of its own for an agent; `run` runs it there, and `follow` each of its commands in install.md. */
function agent(program, { plugins, install, repository, scratch }, env = {}) {
  const world = createWorld(path.join(scratch, program));
  const published = gitOf(plugins, path.join(scratch, program, "published"));
  writeFileSync(path.join(world.home, ".gitconfig"), `[url "${published}"]\n\tinsteadOf = ${repository}\n`);
  const command = installHost(program)(program);
  const run = (...args) => {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: world.project,
      env: { ...environmentOf(world), ...env },
      encoding: "utf8",
      timeout: 120_000,
    });
    if (status !== 0)
      throw new Error(`${program} ${args.join(" ")} ended with ${status}: ${stdout}${stderr}`);
    // Gemini CLI writes its list to stderr.
    return `${stdout}${program === "gemini" ? stderr : ""}`;
  };
  const commands = [...install.matchAll(new RegExp(`\`${program} ([^\`]+)\``, "g"))].map(
    ([, words]) => words,
  );
  const follow = () => {
    if (commands.length === 0) throw new Error(`install.md has no command of ${program}`);
    for (const words of commands) run(...words.split(" "));
  };
  return { run, follow, world };
}

/** The address of a repository whose branch has the plugins, as a release pushes it. */
function gitOf(plugins, target) {
  const repository = `${target}.git`;
  cpSync(plugins, repository, { recursive: true });
  const git = (...args) => execFileSync("git", args, { cwd: repository, stdio: "ignore" });
  git("init", "--quiet", "--initial-branch", PLUGIN_BRANCH);
  git("add", "--all");
  git("-c", "user.name=check", "-c", "user.email=check@localhost", "commit", "--quiet", "-m", "plugins");
  return pathToFileURL(target).href;
}

function must(text, expected) {
  const found = text.split("\n").find((line) => expected.test(line));
  if (found === undefined) throw new Error(`no line is ${expected}: ${text}`);
  return found.trim();
}
