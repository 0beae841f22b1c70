import { realpathSync } from "node:fs";
import { accountHome, isInside, type Platform } from "#util";
import type { PrivateFolder } from "../sandbox/private-folder.ts";

const LOCALE = /^(?:LANG|LANGUAGE|LC_[A-Z]+)$/;
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

/** All of a script's environment: PATH, its folders, the locale and its arguments; nothing else of the server's. */
export function scriptEnvironment(
  server: NodeJS.ProcessEnv,
  places: Pick<PrivateFolder, "home" | "temp">,
  args: ReadonlyMap<string, string>,
  { programs }: Platform,
): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {
    PATH: searchPath(server),
    HOME: places.home,
    TMPDIR: places.temp,
    TEMP: places.temp,
    TMP: places.temp,
  };
  for (const [name, value] of Object.entries(server)) {
    if (value === undefined) continue;
    const isPassed = LOCALE.test(name) || programs.needed?.test(name) === true;
    if (isPassed) variables[name] = value;
  }
  for (const [name, value] of args) variables[name] = value;
  return variables;
}

/** Where programs are found. Windows spells the variable `Path`. */
export function searchPath(server: NodeJS.ProcessEnv): string {
  return server["PATH"] ?? server["Path"] ?? DEFAULT_PATH;
}

/** Every folder that may contain the user's secrets: HOME and the account's own home folder. */
export function homeFolders(home: string): readonly string[] {
  const named = [home, accountHome()].filter((folder) => folder !== "");
  return [...new Set(named.flatMap((folder) => [folder, realPath(folder)]))];
}

/** Folders whose content others write, without those that contain a home folder: not all below is a project's. */
export function contentFolders(folders: readonly string[], homes: readonly string[]): readonly string[] {
  return [...new Set(folders.map(realPath))].filter(
    (folder) => !homes.some((home) => isInside(folder, home)),
  );
}

/** The home folder for programs that ask for one; containers may run as a user that has none. */
export function homeFrom(environment: NodeJS.ProcessEnv): string {
  const home = environment["HOME"] ?? environment["USERPROFILE"] ?? "";
  return home || accountHome() || "/";
}

function realPath(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}
