import type { SkillFolders } from "./agent.ts";
import { agentsInOrder } from "./all-agents.ts";

/** The folders of one provider's skills. */
interface ProviderFolders extends SkillFolders {
  readonly provider: string;
}

/** Of two skills with one identity, the one of the earlier agent counts. */
const PRIORITY: readonly string[] = [
  ...["agents", "claude-code", "codex", "cursor", "gemini-cli", "opencode", "copilot-cli", "windsurf"],
  ...["goose", "cline", "roo-code", "kilo", "kiro", "qwen-code", "trae", "droid", "junie", "continue"],
  ...["augment", "crush", "openclaw", "grok", "hermes", "devin", "vibe", "openhands", "qoder", "rovo-dev"],
  ...["codebuddy", "forge", "mux", "bob", "antigravity", "cortex", "deepagents", "tabnine", "zencoder"],
  ...["iflow", "pi"],
];

/** Every agent whose folders are searched, highest priority first. */
export const SKILL_FOLDERS: readonly ProviderFolders[] = agentsInOrder(PRIORITY).flatMap(
  ({ id, provider = id, folders }) => (folders === undefined ? [] : [{ provider, ...folders }]),
);

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
  ...SKILL_FOLDERS.map(({ provider }) => provider),
]);
