import { type Agent, inBoth } from "../agent.ts";
import type { ServerConnection } from "../connect/connect-form.ts";
import { TOKEN_VARIABLE } from "../connect/entry-forms.ts";
import { HOOK_LIKE_CLAUDE } from "../hooks/hook-form.ts";
import { highestVersion } from "../plugins/highest-version.ts";

export const agent: Agent = {
  id: "codex",
  title: "Codex",
  instructions: ["AGENTS.override.md"], // docs
  folders: {
    ...inBoth(".codex/skills"), // source
    system: {
      darwin: "/etc/codex/skills", // source
      win32: "C:\\ProgramData\\OpenAI\\Codex\\skills", // source
      unix: "/etc/codex/skills", // source
    },
    movedBy: ["CODEX_HOME", ".codex"], // docs
  },
  // Source: core-plugins/src/store.rs and manifest.rs of openai/codex.
  plugins: {
    dir: ".codex/plugins/cache",
    levels: ["marketplace", "plugin", "version"],
    activeVersion: (versions) => (versions.includes("local") ? "local" : highestVersion(versions)),
    marketplaces: ".codex/.tmp/marketplaces",
    manifests: [".codex-plugin/plugin.json", ".claude-plugin/plugin.json", "plugin.json"],
    namesFolders: true,
    settings: {
      file: ".codex/config.toml",
      format: "TOML",
      howToEnable: (text) => {
        const off = turnedOffIn(typeof text === "string" ? text : "");
        return ({ id }) =>
          off.has(id)
            ? `Set \`enabled = true\` under \`[plugins."${id}"]\` there to serve its skills.`
            : undefined;
      },
    },
  },
  client: {
    name: "codex",
    measured: {
      pattern: /^codex\b/i,
      traits: {
        // Up to 0.166 its tool search shows the instructions and finds tools by their description; a direct tool is shown with both.
        listIn: ["instructions", "description"],
        budgets: { description: 20_000, instructions: 8_000 },
        reads: inBoth(".agents/skills", ".codex/skills"),
        readsAbove: true,
        readsPlugins: ["codex"],
        // About 10,000 tokens, which it takes to be four bytes each.
        answerLimit: { count: 39_000, unit: "bytes" },
        structuredReplacesText: true,
        acceptsEnum: true,
      },
      since: [
        [
          "0.169.0",
          {
            // Of a deferred server it shows the first line of the instructions, 250 characters of it. What its tool search answers
            // has the description once, and in code mode the instructions with each tool.
            listIn: ["description", "instructions"],
            firstLineLimit: 250,
            shownBy: 'omit_tools_from = ["deferred"]',
          },
        ],
      ],
    },
  },
  connect: {
    documentation: "https://developers.openai.com/codex/mcp",
    format: "toml",
    keys: ["mcp_servers"],
    user: ["~/.codex/config.toml"],
    movedBy: ["CODEX_HOME", "config.toml"],
    project: [".codex/config.toml"],
    folders: ["~/.codex"],
    programs: ["codex"],
    startsScripts: true,
    // `omit_tools_from` keeps the tools from being deferred: their texts are shown at once. Never `required`, which makes the
    // first turn wait for the server: Codex does not start at all when such a server does not.
    local: (command, args) => ({ command, args, omit_tools_from: ["deferred"] }),
    remote: (url, { headers }) => ({
      url,
      ...(headers === undefined ? {} : { http_headers: headers }), // docs
      omit_tools_from: ["deferred"],
    }),
    tokenEnv: { setting: "bearer_token_env_var" }, // docs
    settings: { omit_tools_from: "the model sees the skills at once" },
    add: addCommandOf,
    next: "Start a new session of Codex; /mcp shows the server.",
    nextInProject: "Start Codex in this folder and trust it; Codex ignores the file otherwise.",
  },
  hook: {
    ...HOOK_LIKE_CLAUDE,
    documentation: "https://developers.openai.com/codex/hooks",
    user: ["~/.codex/hooks.json"],
    movedBy: ["CODEX_HOME", "hooks.json"],
    project: [".codex/hooks.json"],
    tool: "mcp__skills__skill",
    native: "read its SKILL.md first",
    next: "Start Codex, type /hooks, and trust the hook; Codex does not run it before.",
  },
  run: {
    program: "codex",
    args: (prompt) => ["exec", "--json", "--skip-git-repo-check", "--sandbox", "read-only", prompt],
  },
};

/** Codex's own `mcp add` cannot write the settings that show the skills. */
function addCommandOf(connection: ServerConnection, ours: string): string {
  if (connection.kind === "local") return `${ours} connect codex`;
  const { url, token, tokenEnv = token === undefined ? undefined : TOKEN_VARIABLE } = connection;
  return `${ours} connect codex --http ${url}${tokenEnv === undefined ? "" : ` --token-env ${tokenEnv}`}`;
}

/** The ids of `[plugins."<id>"]` with `enabled = false`, as Codex writes them. The rest of the TOML does not matter here. */
function turnedOffIn(text: string): ReadonlySet<string> {
  const off = new Set<string>();
  let id: string | undefined;
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line.startsWith("[")) {
      const header = /^\[plugins\.(?:"([^"]*)"|'([^']*)'|([\w-]+))\]/.exec(line);
      id = header?.[1] ?? header?.[2] ?? header?.[3];
    } else if (id !== undefined && /^enabled *= *false\b/.test(line)) off.add(id);
  }
  return off;
}
