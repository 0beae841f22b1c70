import { realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";

/** Every folder that may hold the user's secrets: what HOME says, and where the account lives in truth. */
export function homeFolders(home: string): readonly string[] {
  const named = [home, homedir(), userInfo().homedir].filter((folder) => folder !== "");
  return [...new Set(named.flatMap((folder) => [folder, realPath(folder)]))];
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
