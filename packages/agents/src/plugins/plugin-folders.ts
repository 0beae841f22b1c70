import path from "node:path";
import type { PluginLayout, PluginSettings } from "../agent.ts";
import { agentsInOrder } from "../all-agents.ts";
import { type MovedFolders, userFolder } from "../moved-folders.ts";

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
const PRIORITY = ["agents", "codex", "copilot-cli", "gemini-cli"];

/** Where plugins lie, highest priority first. Claude Code has no such folder: its plugins are in a list (#skills). */
export function planPluginFolders({ cwd, projects, home, moved }: PluginPlaces): readonly PluginFolder[] {
  const ofUser = (folder: string): string => userFolder(folder, home, moved);
  return agentsInOrder(PRIORITY).flatMap(({ id, title, provider = id, plugins: layout }) => {
    if (layout === undefined) return [];
    const { dir, inProjects, settings } = layout;
    const dirs = [...(inProjects ? projects.map((project) => path.join(project, dir)) : []), ofUser(dir)];
    const off = settings && { settings: { ...settings, file: ofUser(settings.file), cwd, agent: title } };
    return [...new Set(dirs)].map((each) => ({ provider, layout, dir: each, ...off }));
  });
}
