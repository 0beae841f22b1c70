import type { Agent } from "../agent.ts";
import { addCommand, JSON_SERVERS } from "../connect/entry-forms.ts";
import { HOOK_LIKE_COPILOT } from "../hooks/hook-form.ts";

export const agent: Agent = {
  id: "copilot-cli",
  title: "Copilot CLI",
  provider: "copilot",
  alsoCalled: ["github-copilot"], // skills
  folders: {
    project: [".github/skills"], // skills, docs
    user: [".copilot/skills"], // skills, docs
    movedBy: ["COPILOT_HOME", ".copilot"], // docs
  },
  // Source: "GitHub Copilot CLI plugin reference".
  plugins: {
    dir: ".copilot/installed-plugins",
    levels: ["marketplace", "plugin"],
    // Its folders are named after the sources of the plugins.
    noMarketplace: "_direct",
    manifests: [
      ".plugin/plugin.json",
      "plugin.json",
      ".github/plugin/plugin.json",
      ".claude-plugin/plugin.json",
    ],
    namesFolders: true,
  },
  client: {
    name: "copilot-cli",
    measured: {
      pattern: /^copilot(?:-cli)?$/i,
      traits: {
        reads: {
          user: [".agents/skills", ".copilot/skills"],
          project: [".agents/skills", ".claude/skills", ".github/skills"],
        },
        readsPlugins: ["copilot"],
        answerLimit: { count: 20_480, unit: "bytes" },
      },
    },
  },
  connect: {
    ...JSON_SERVERS,
    documentation: "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers",
    user: ["~/.copilot/mcp-config.json"],
    movedBy: ["COPILOT_HOME", "mcp-config.json"],
    folders: ["~/.copilot"],
    programs: ["copilot"],
    startsScripts: true,
    local: (command, args) => ({ type: "local", command, args, tools: ["*"] }),
    remote: (url, headers) => ({ type: "http", url, ...headers, tools: ["*"] }),
    add: addCommand("copilot", ""),
    next: "Start a new session of Copilot CLI; /mcp shows the server.",
  },
  hook: {
    ...HOOK_LIKE_COPILOT,
    documentation: "https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference",
    movedBy: ["COPILOT_HOME", "hooks/skills-mcp.json"],
    tool: "skills-skill",
    next: "Start a new session of Copilot CLI.",
  },
};
