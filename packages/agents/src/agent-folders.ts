/** One agent's skill folders: below the project and below the home folder, highest priority first. */
interface AgentFolders {
  readonly provider: string;
  readonly project: readonly string[];
  readonly user: readonly string[];
  /** What an administrator gives to every user of the machine. */
  readonly system?: SystemFolders;
}

/** Absolute folders, by platform; `unix` is every other one. */
type SystemFolders = Readonly<Record<"darwin" | "win32" | "unix", string>>;

const sameInBoth = (provider: string, ...folders: string[]): AgentFolders => ({
  provider,
  project: folders,
  user: folders,
});

/**
 * Every agent whose folders are read, highest priority first. A new agent is one line here, with its source: "skills" is
 * the table of the npm package of that name (packages/skills/test/roots/skills-package.json), "docs" the agent's own
 * documentation, "source" its source or binary.
 */
export const AGENTS: readonly AgentFolders[] = [
  {
    provider: "agents", // skills (amp, universal), source (Codex)
    project: [".agents/skills", ".agent/skills"],
    user: [".agents/skills", ".agent/skills", ".config/agents/skills"],
  },
  {
    ...sameInBoth("claude", ".claude/skills"), // skills, docs
    system: {
      darwin: "/Library/Application Support/ClaudeCode/.claude/skills", // source
      win32: "C:\\Program Files\\ClaudeCode\\.claude\\skills", // source
      unix: "/etc/claude-code/.claude/skills", // source
    },
  },
  {
    ...sameInBoth("codex", ".codex/skills"), // source
    system: {
      darwin: "/etc/codex/skills", // source
      win32: "C:\\ProgramData\\OpenAI\\Codex\\skills", // source
      unix: "/etc/codex/skills", // source
    },
  },
  sameInBoth("cursor", ".cursor/skills"), // skills, docs
  sameInBoth("gemini", ".gemini/skills"), // skills, docs
  {
    provider: "opencode", // skills, source
    project: [".opencode/skills", ".opencode/skill"],
    user: [".opencode/skills", ".config/opencode/skills", ".config/opencode/skill"],
  },
  { provider: "copilot", project: [".github/skills"], user: [".copilot/skills"] }, // skills, docs
  { provider: "windsurf", project: [".windsurf/skills"], user: [".codeium/windsurf/skills"] }, // skills
  { provider: "goose", project: [".goose/skills"], user: [".config/goose/skills"] }, // skills
  sameInBoth("cline", ".cline/skills"), // docs
  sameInBoth("roo", ".roo/skills"), // skills
  sameInBoth("kilo", ".kilo/skills", ".kilocode/skills"), // skills, docs
  sameInBoth("kiro", ".kiro/skills"), // skills
  sameInBoth("qwen", ".qwen/skills"), // skills
  { provider: "trae", project: [".trae/skills"], user: [".trae/skills", ".trae-cn/skills"] }, // skills
  sameInBoth("droid", ".factory/skills"), // skills
  sameInBoth("junie", ".junie/skills"), // skills
  sameInBoth("continue", ".continue/skills"), // skills
  sameInBoth("augment", ".augment/skills"), // skills
  { provider: "crush", project: [".crush/skills"], user: [".config/crush/skills"] }, // skills
  {
    provider: "openclaw", // skills; the last two are its former names
    project: [],
    user: [".openclaw/skills", ".clawdbot/skills", ".moltbot/skills"],
  },
  sameInBoth("grok", ".grok/skills"), // skills
  sameInBoth("hermes", ".hermes/skills"), // skills
  { provider: "devin", project: [".devin/skills"], user: [".config/devin/skills"] }, // skills
  sameInBoth("vibe", ".vibe/skills"), // skills
  sameInBoth("openhands", ".openhands/skills"), // skills
  { provider: "qoder", project: [".qoder/skills"], user: [".qoder/skills", ".qoder-cn/skills"] }, // skills
  sameInBoth("rovodev", ".rovodev/skills"), // skills
  sameInBoth("codebuddy", ".codebuddy/skills"), // skills
  sameInBoth("forge", ".forge/skills"), // skills
  sameInBoth("mux", ".mux/skills"), // skills
  sameInBoth("bob", ".bob/skills"), // skills
  {
    provider: "antigravity", // skills
    project: [],
    user: [".gemini/antigravity/skills", ".gemini/antigravity-cli/skills"],
  },
  { provider: "cortex", project: [".cortex/skills"], user: [".snowflake/cortex/skills"] }, // skills
  { provider: "deepagents", project: [], user: [".deepagents/agent/skills"] }, // skills
  sameInBoth("tabnine", ".tabnine/agent/skills"), // skills
  sameInBoth("zencoder", ".zencoder/skills"), // skills
  sameInBoth("iflow", ".iflow/skills"), // skills
  { provider: "pi", project: [".pi/skills"], user: [".pi/agent/skills"] }, // docs
  sameInBoth("adal", ".adal/skills"), // skills
  sameInBoth("aider-desk", ".aider-desk/skills"), // skills
  { provider: "astrbot", project: [], user: [".astrbot/data/skills"] }, // skills
  sameInBoth("autohand", ".autohand/skills"), // skills
  sameInBoth("codearts", ".codeartsdoer/skills"), // skills
  sameInBoth("codemaker", ".codemaker/skills"), // skills
  sameInBoth("codestudio", ".codestudio/skills"), // skills
  sameInBoth("command-code", ".commandcode/skills"), // skills
  { provider: "firebender", project: [], user: [".firebender/skills"] }, // skills
  sameInBoth("inference-sh", ".inferencesh/skills"), // skills
  sameInBoth("jazz", ".jazz/skills"), // skills
  { provider: "kimchi", project: [".kimchi/skills"], user: [".config/kimchi/harness/skills"] }, // skills
  sameInBoth("kode", ".kode/skills"), // skills
  sameInBoth("lingma", ".lingma/skills"), // skills
  sameInBoth("mcpjam", ".mcpjam/skills"), // skills
  sameInBoth("minimax", ".minimax/skills"), // skills
  sameInBoth("moxby", ".moxby/skills"), // skills
  sameInBoth("neovate", ".neovate/skills"), // skills
  sameInBoth("ona", ".ona/skills"), // skills
  sameInBoth("pochi", ".pochi/skills"), // skills
  sameInBoth("posit", ".posit/assistant/skills"), // skills
  sameInBoth("reasonix", ".reasonix/skills"), // skills
  sameInBoth("terramind", ".terramind/skills"), // skills
  sameInBoth("tinycloud", ".tinycloud/skills"), // skills
  sameInBoth("zcode", ".zcode/skills"), // skills
];

/** Variables that move a folder out of the home folder. Agents read them, so their skills lie there. */
export const MOVING_VARIABLES: readonly (readonly [variable: string, folder: string])[] = [
  ["CLAUDE_CONFIG_DIR", ".claude"], // docs
  ["CODEX_HOME", ".codex"], // docs
  ["XDG_CONFIG_HOME", ".config"], // XDG Base Directory Specification
  ["COPILOT_HOME", ".copilot"], // docs
  ["VIBE_HOME", ".vibe"], // skills
  ["HERMES_HOME", ".hermes"], // skills
  ["AUTOHAND_HOME", ".autohand"], // skills
  ["GROK_HOME", ".grok"], // skills
];

/** The provider of folders that were named on the command line. */
export const FILE_PROVIDER = "file";

/** The provider of a library's skills. */
export const LIBRARY_PROVIDER = "library";

/** The provider of skills that are served from git repositories. */
export const GIT_PROVIDER = "git";

/** Every word that means a provider in a qualified name or a filter. */
export const PROVIDERS: ReadonlySet<string> = new Set([
  FILE_PROVIDER,
  LIBRARY_PROVIDER,
  GIT_PROVIDER,
  ...AGENTS.map((agent) => agent.provider),
]);
