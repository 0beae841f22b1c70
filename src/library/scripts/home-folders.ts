import { realpathSync } from "node:fs";
import { userInfo } from "node:os";

/** Every folder that may hold the user's secrets: what HOME says, and where the account lives in truth. */
export function homeFolders(home: string): readonly string[] {
  const named = [home, accountHome()].filter((folder) => folder !== "");
  return [...new Set(named.flatMap((folder) => [folder, realPath(folder)]))];
}

/** The home folder for programs that ask for one; containers may run as a user that has none. */
export function homeFrom(environment: NodeJS.ProcessEnv): string {
  const home = environment["HOME"] ?? environment["USERPROFILE"] ?? "";
  return home || accountHome() || "/";
}

function accountHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    return "";
  }
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
