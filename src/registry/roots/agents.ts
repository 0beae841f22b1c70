/** One agent's skill folders: below the project and below the home folder, highest priority first. */
interface AgentFolders {
  readonly provider: string;
  readonly project: readonly string[];
  readonly user: readonly string[];
}

const sameInBoth = (provider: string, ...folders: string[]): AgentFolders => ({
  provider,
  project: folders,
  user: folders,
});

/** Every agent whose folders are read, highest priority first. A new agent is one line here. */
export const AGENTS: readonly AgentFolders[] = [
  {
    provider: "agents",
    project: [".agents/skills", ".agent/skills"],
    user: [".agents/skills", ".agent/skills", ".config/agents/skills"],
  },
  sameInBoth("claude", ".claude/skills"),
  sameInBoth("codex", ".codex/skills"),
  sameInBoth("cursor", ".cursor/skills"),
  sameInBoth("gemini", ".gemini/skills"),
  {
    provider: "opencode",
    project: [".opencode/skills", ".opencode/skill"],
    user: [".opencode/skills", ".config/opencode/skills", ".config/opencode/skill"],
  },
  { provider: "copilot", project: [".github/skills"], user: [".copilot/skills"] },
  { provider: "windsurf", project: [".windsurf/skills"], user: [".codeium/windsurf/skills"] },
  { provider: "goose", project: [".goose/skills"], user: [".config/goose/skills"] },
  sameInBoth("cline", ".cline/skills"),
  sameInBoth("roo", ".roo/skills"),
  sameInBoth("kilo", ".kilo/skills", ".kilocode/skills"),
  sameInBoth("kiro", ".kiro/skills"),
  sameInBoth("qwen", ".qwen/skills"),
  sameInBoth("trae", ".trae/skills"),
  sameInBoth("droid", ".factory/skills"),
  sameInBoth("junie", ".junie/skills"),
  sameInBoth("continue", ".continue/skills"),
  sameInBoth("augment", ".augment/skills"),
  { provider: "crush", project: [".crush/skills"], user: [".config/crush/skills"] },
];

/** The provider of folders that were named on the command line. */
export const FILE_PROVIDER = "file";

/** The provider of a library's skills. */
export const LIBRARY_PROVIDER = "library";

/** Every word that means a provider in a qualified name or a filter. */
export const PROVIDERS: ReadonlySet<string> = new Set([
  FILE_PROVIDER,
  LIBRARY_PROVIDER,
  ...AGENTS.map((agent) => agent.provider),
]);
