// GitHub Copilot CLI with a provider of one's own. With newer models and more than 30 tools it shows only their names.
import path from "node:path";
import { fileURLToPath } from "node:url";

const CROWD = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "crowd-server.mjs");
const COPILOT = { program: "copilot", page: "copilot-cli", tool: "skills-skill" };

export const copilotCli = [
  {
    ...COPILOT,
    id: "copilot",
    title: "Copilot CLI",
    start: (context) => start(context, { COPILOT_MODEL: "gpt-5" }, "openai"),
  },
  {
    ...COPILOT,
    id: "copilot-many",
    title: "Copilot CLI, more than 30 tools",
    start: (context) =>
      start(context, { COPILOT_MODEL: "claude-opus-4.7" }, "anthropic", {
        crowd: { type: "local", command: process.execPath, args: [CROWD, "25"], tools: ["*"] },
      }),
  },
];

function start({ world, modelUrl, server, prompt, inPath }, env, provider, others) {
  const mcpServers = { skills: { type: "local", ...server, tools: ["*"] }, ...others };
  world.write("home/.copilot/mcp-config.json", JSON.stringify({ mcpServers }));
  return {
    command: inPath("copilot"),
    args: ["-p", prompt, "--allow-all-tools", "--trust-folder", "--no-color"],
    env: {
      ...env,
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_TYPE: provider,
      COPILOT_PROVIDER_BASE_URL: provider === "openai" ? `${modelUrl}/v1` : modelUrl,
      COPILOT_PROVIDER_API_KEY: "none",
    },
  };
}
