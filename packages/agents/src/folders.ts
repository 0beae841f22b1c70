import path from "node:path";
import type { PluginLayout, PluginSettings, SkillFolders } from "./agent.ts";
import { ALL_AGENTS, agentsInOrder } from "./all-agents.ts";

/** The folders of one provider's skills. */
interface ProviderFolders extends SkillFolders {
  readonly provider: string;
}

/** Of two skills with one identity, the one of the earlier agent counts. */
const SKILL_PRIORITY: readonly string[] = [
  ...["agents", "claude-code", "codex", "cursor", "gemini-cli", "opencode", "copilot-cli", "windsurf"],
  ...["goose", "cline", "roo-code", "kilo", "kiro", "qwen-code", "trae", "droid", "junie", "continue"],
  ...["augment", "crush", "openclaw", "grok", "hermes", "devin", "vibe", "openhands", "qoder", "rovo-dev"],
  ...["codebuddy", "forge", "mux", "bob", "antigravity", "cortex", "deepagents", "tabnine", "zencoder"],
  ...["iflow", "pi"],
];

/** Every agent whose folders are searched, highest priority first. */
export const SKILL_FOLDERS: readonly ProviderFolders[] = agentsInOrder(SKILL_PRIORITY).flatMap(
  ({ id, provider = id, folders }) => (folders === undefined ? [] : [{ provider, ...folders }]),
);

/**
 * What agents trust in a project's folder, whether it is there or not: their own folders, their configuration and their
 * instructions, by the name that lies directly in the project.
 */
export const TRUSTED_NAMES: readonly string[] = [
  ...new Set(
    ALL_AGENTS.flatMap(({ folders, plugins, instructions = [], connect, hook }) => [
      ...(folders?.project ?? []),
      ...(plugins?.inProjects ? [plugins.dir] : []),
      ...(connect?.project ?? []),
      ...(hook?.project ?? []),
      ...instructions,
    ]).map((place) => place.split("/")[0] ?? place),
  ),
];

/** The provider of folders that were named on the command line. */
export const FILE_PROVIDER = "file";

/** The provider of a library's skills. */
export const LIBRARY_PROVIDER = "library";

/** The provider of skills that are served from git repositories. */
export const GIT_PROVIDER = "git";

/** The provider of skills in npm packages that a project depends on. */
export const NPM_PROVIDER = "npm";

/** Every word that means a provider in a qualified name or a filter. */
export const PROVIDERS: ReadonlySet<string> = new Set([
  FILE_PROVIDER,
  LIBRARY_PROVIDER,
  GIT_PROVIDER,
  NPM_PROVIDER,
  ...SKILL_FOLDERS.map(({ provider }) => provider),
]);

/** Folders that agents have elsewhere than below the home folder: `.claude`, `.codex`, … → an absolute folder. */
export type MovedFolders = Readonly<Record<string, string>>;

/** Agents read these variables, so their skills lie there. */
const MOVING_VARIABLES: readonly (readonly [variable: string, folder: string])[] = [
  ["XDG_CONFIG_HOME", ".config"], // XDG Base Directory Specification
  ...SKILL_FOLDERS.flatMap(({ movedBy }) => (movedBy === undefined ? [] : [movedBy])),
];

/** What the environment moves. By convention an empty or relative value counts as not set. */
export function movedFolders(environment: Readonly<Record<string, string | undefined>>): MovedFolders {
  const moved = MOVING_VARIABLES.flatMap(([variable, folder]) => {
    const value = environment[variable]?.trim() ?? "";
    return path.isAbsolute(value) && !value.includes("\0") ? [[folder, path.resolve(value)] as const] : [];
  });
  return Object.fromEntries(moved);
}

/** The absolute path of a folder such as `.claude/skills` below the home folder, or where its first part was moved. */
export function userFolder(folder: string, home: string, moved: MovedFolders): string {
  const [first = "", ...rest] = folder.split("/");
  return path.join(moved[first] ?? path.join(home, first), ...rest);
}

/** A folder of plugins. */
export interface PluginFolder {
  readonly provider: string;
  readonly layout: PluginLayout;
  readonly dir: string;
  /** The agent's file that can turn plugins off, for all or only for some working directories. */
  readonly settings?: PluginSettings & { readonly cwd: string; readonly agent: string };
}

interface PluginPlaces {
  readonly cwd: string;
  readonly projects: readonly string[];
  readonly home: string;
  readonly moved: MovedFolders;
}

/** The agents whose plugins have the highest priority. */
const PLUGIN_PRIORITY = ["agents", "codex", "copilot-cli", "gemini-cli"];

/** Where plugins lie, highest priority first. Claude Code has no such folder: its plugins are in a list (#skills). */
export function planPluginFolders({ cwd, projects, home, moved }: PluginPlaces): readonly PluginFolder[] {
  const ofUser = (folder: string): string => userFolder(folder, home, moved);
  return agentsInOrder(PLUGIN_PRIORITY).flatMap(({ id, title, provider = id, plugins: layout }) => {
    if (layout === undefined) return [];
    const { dir, inProjects, settings } = layout;
    const dirs = [...(inProjects ? projects.map((project) => path.join(project, dir)) : []), ofUser(dir)];
    const off = settings && { settings: { ...settings, file: ofUser(settings.file), cwd, agent: title } };
    return [...new Set(dirs)].map((each) => ({ provider, layout, dir: each, ...off }));
  });
}
