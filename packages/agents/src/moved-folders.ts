import path from "node:path";
import { SKILL_FOLDERS } from "./providers.ts";

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
