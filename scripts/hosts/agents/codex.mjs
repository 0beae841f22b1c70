// Codex chooses by model how it shows tools: called from code (its default model), found with a search, or directly. Its first
// turn does not wait for a server unless that is `required`. `connect` writes a setting that shows the tools at once.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

const CODEX = { program: "codex", page: "codex", tool: "mcp__skills__skill" };
const SEARCHING = "gpt-5.5";

export const codex = [
  { ...CODEX, id: "codex", title: "Codex, default model (code mode)", start: startWith() },
  { ...CODEX, id: "codex-search", title: "Codex, tool search", start: startWith({ model: SEARCHING }) },
  {
    ...CODEX,
    id: "codex-direct",
    title: "Codex, other models (direct)",
    start: startWith({ model: "stub-model" }),
  },
  {
    ...CODEX,
    id: "codex-shown",
    title: "Codex, default model, after `connect`",
    start: startWith({ isConnected: true }),
  },
  {
    ...CODEX,
    id: "codex-search-shown",
    title: "Codex, tool search, after `connect`",
    start: startWith({ model: SEARCHING, isConnected: true }),
  },
];

function startWith({ model, isConnected = false } = {}) {
  return ({ world, bin, modelUrl, server, prompt, inPath }) => {
    const own = `
${model === undefined ? "" : `model = "${model}"`}
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.stub]
name = "stub"
base_url = "${modelUrl}/v1"
env_key = "STUB_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`;
    const reach = `command = ${JSON.stringify(server.command)}\nargs = ${JSON.stringify(server.args)}\n`;
    const entry = `\n[mcp_servers.skills]\n${reach}required = true\n`;
    const file = world.write("home/.codex/config.toml", isConnected ? own : own + entry);
    if (isConnected) connect(world, bin, file, reach);
    return {
      command: inPath("codex"),
      args: ["exec", "--skip-git-repo-check", "--json", prompt],
      env: { STUB_KEY: "none" },
    };
  };
}

/** The entry that `connect` writes, but for the command, which also writes down what is said, and with a first turn that waits for it. */
function connect(world, bin, file, reach) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, "connect", "codex"], {
    cwd: world.project,
    env: { PATH: path.dirname(process.execPath), HOME: world.home },
    encoding: "utf8",
  });
  const written = readFileSync(file, "utf8");
  const ours = `command = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([bin])}\n`;
  if (status !== 0 || !written.includes(ours))
    throw new Error(`connect ended with ${status}: ${stdout}${stderr}`);
  world.write(
    "home/.codex/config.toml",
    written.replace(ours, () => `${reach}required = true\n`),
  );
}
