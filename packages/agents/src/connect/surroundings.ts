import { access } from "node:fs/promises";
import path from "node:path";
import { homeFolder, ownPackage, PLATFORMS, platform } from "#util";
import type { ByPlatform, ConfigScope, ConnectForm, UserPath } from "./connect-form.ts";
import { ownProgram } from "./own-program.ts";

/** Everything of the machine that decides where an agent's configuration is. */
export interface Surroundings {
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly cwd: string;
  /** `~/.skills-mcp`. */
  readonly ownFolder: string;
  /** What an entry of ours contains beside what every version knows: the script of this program, and the name of its package. */
  readonly own: readonly string[];
}

/** The machine as it is; with `userDir`, that is the home folder and no variable counts but those that find programs. */
export function surroundingsOf(userDir: string | undefined): Surroundings {
  const home = path.resolve(userDir ?? homeFolder());
  const { PATH, Path, PATHEXT } = process.env;
  return {
    platform: platform.name,
    environment: userDir === undefined ? process.env : { PATH: PATH ?? Path, PATHEXT },
    home,
    cwd: process.cwd(),
    ownFolder: path.join(home, ".skills-mcp"),
    own: [...ownProgram().command.slice(1), ownPackage().name],
  };
}

/** The folder that a variable names. By convention an empty or relative value counts as not set. */
function folderIn({ environment }: Surroundings, variable: string): string | undefined {
  const value = environment[variable]?.trim() ?? "";
  return path.isAbsolute(value) && !value.includes("\0") ? path.resolve(value) : undefined;
}

function absolute(given: UserPath, surroundings: Surroundings): string {
  const [first = "", ...rest] = given.split("/");
  const { platform, home } = surroundings;
  const config = folderIn(surroundings, "XDG_CONFIG_HOME") ?? path.join(home, ".config");
  if (first === "~") return path.join(home, ...rest);
  if (first === "<config>") return path.join(config, ...rest);
  if (platform === "darwin") return path.join(home, "Library", "Application Support", ...rest);
  if (platform !== "win32") return path.join(config, ...rest);
  return path.join(folderIn(surroundings, "APPDATA") ?? path.join(home, "AppData", "Roaming"), ...rest);
}

function onPlatform(paths: ByPlatform<readonly UserPath[]>, { platform }: Surroundings): readonly UserPath[] {
  if (!("unix" in paths)) return paths;
  return (
    (platform === "win32" ? paths.win32 : platform === "darwin" ? paths.darwin : undefined) ?? paths.unix
  );
}

/** The configuration file of an agent; undefined if it has none for that scope. */
export async function configFile(
  { user, project, movedBy }: Pick<ConnectForm, "user" | "project" | "movedBy">,
  scope: ConfigScope,
  surroundings: Surroundings,
): Promise<string | undefined> {
  if (scope === "project") return firstOf(project?.map((file) => path.join(surroundings.cwd, file)));
  const moved = movedBy === undefined ? undefined : folderIn(surroundings, movedBy[0]);
  if (moved !== undefined) return path.join(moved, movedBy?.[1] ?? "");
  return firstOf(user && onPlatform(user, surroundings).map((file) => absolute(file, surroundings)));
}

/** The first file that exists, else the first one. */
async function firstOf(files: readonly string[] | undefined): Promise<string | undefined> {
  if (files === undefined) return undefined;
  const there = await Promise.all(files.map(exists));
  return files[Math.max(0, there.indexOf(true))];
}

/** Whether an agent is installed: one of its folders or programs exists. */
export async function isInstalled(agent: ConnectForm, surroundings: Surroundings): Promise<boolean> {
  const moved = agent.movedBy && folderIn(surroundings, agent.movedBy[0]);
  const folders = onPlatform(agent.folders, surroundings).map((folder) => absolute(folder, surroundings));
  const found = await Promise.all([...(moved === undefined ? [] : [moved]), ...folders].map(exists));
  return found.includes(true) || (await hasProgram(agent.programs, surroundings));
}

/** Whether PATH has one of these programs. */
export async function hasProgram(
  programs: readonly string[],
  { platform, environment }: Surroundings,
): Promise<boolean> {
  const folders = (environment["PATH"] ?? environment["Path"] ?? "")
    .split(path.delimiter)
    .filter(path.isAbsolute);
  const endings = platform === "win32" ? PLATFORMS.win32.programs.endings(environment) : [""];
  const files = folders.flatMap((folder) =>
    programs.flatMap((program) => endings.map((ending) => path.join(folder, program + ending))),
  );
  return (await Promise.all(files.map(exists))).includes(true);
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
