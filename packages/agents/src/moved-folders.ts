import path from "node:path";
import { MOVING_VARIABLES } from "./agent-folders.ts";

/** Folders that agents have elsewhere than below the home folder: `.claude`, `.codex`, … → an absolute folder. */
export type MovedFolders = Readonly<Record<string, string>>;

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
