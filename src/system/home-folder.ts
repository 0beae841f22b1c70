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

/** Client configs are JSON, where no shell expands `~`. */
export function expandHome(given: string, home: string): string {
  if (given === "~") return home;
  return given.startsWith("~/") || given.startsWith("~\\") ? path.join(home, given.slice(2)) : given;
}
