import { homedir, userInfo } from "node:os";
import path from "node:path";

/**
 * The user's home folder. An empty or relative HOME would make it a folder of the project, whose settings would then count
 * as the user's own; the account's folder stands in. Containers may run as a user that has none.
 */
export function homeFolder(): string {
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find();
      if (path.isAbsolute(home)) return home;
    } catch {
      // An account without an entry.
    }
  }
  return path.parse(path.resolve("/")).root;
}
