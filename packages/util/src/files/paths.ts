import { homedir, userInfo } from "node:os";
import path from "node:path";

/** Whether `inner` is `outer` or lies below it. Both are absolute and normalised. */
export function isInside(outer: string, inner: string): boolean {
  const relative = path.relative(outer, inner);
  return (
    relative === "" ||
    (relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative))
  );
}

/**
 * The user's home folder. An empty or relative HOME would make it a folder of the project, whose settings would then count
 * as the user's own, so the account's folder is used instead. Containers may run as a user without one.
 */
export function homeFolder(): string {
  const home = attempt(homedir);
  if (path.isAbsolute(home)) return home;
  const account = accountHome();
  return path.isAbsolute(account) ? account : path.parse(path.resolve("/")).root;
}

/** The home folder of the account, whatever HOME says; "" for an account without an entry. */
export function accountHome(): string {
  return attempt(() => userInfo().homedir);
}

function attempt(find: () => string): string {
  try {
    return find();
  } catch {
    return "";
  }
}

/** Client configs are JSON, where no shell expands `~`. */
export function expandHome(given: string, home: string): string {
  if (given === "~") return home;
  return given.startsWith("~/") || given.startsWith("~\\") ? path.join(home, given.slice(2)) : given;
}

/** `~/.skills-mcp`: settings, caches and records of this program, below the home folder of the user it works for. */
export function ownFolderIn(home: string): string {
  return path.join(home, ".skills-mcp");
}
