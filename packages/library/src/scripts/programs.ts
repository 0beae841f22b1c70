import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { isInside, type Platform } from "#util";

/** Where programs are looked for, and what may not decide which one is found. */
export interface ProgramSearch {
  /** The operator's PATH. */
  readonly searchPath: string;
  readonly platform: Platform;
  /** Real paths of folders whose content others write: the library, the project. */
  readonly content: readonly string[];
}

/**
 * The absolute path of a program, found as a shell does; or undefined. Folders of PATH in a project or a library are left out,
 * and so is every `node_modules/.bin`: npx adds those to PATH, the operator does not.
 */
export function findProgram(
  name: string,
  { searchPath, platform, content }: ProgramSearch,
): string | undefined {
  // Batch files start only through a shell, so only real programs count.
  const endings = path.extname(name) === "" ? platform.programs.plainEndings : [""];
  if (path.isAbsolute(name)) return endings.map((ending) => `${name}${ending}`).find(isProgram);
  if (/[/\\]/.test(name)) return undefined;
  for (const folder of searchPath.split(path.delimiter)) {
    // An empty or relative entry means the working folder, which a client chooses.
    if (!path.isAbsolute(folder) || isLocalTools(folder)) continue;
    const found = endings.map((ending) => path.join(folder, `${name}${ending}`)).find(isProgram);
    if (found !== undefined && !isIn(content, path.dirname(found))) return found;
  }
  return undefined;
}

function isLocalTools(folder: string): boolean {
  const parts = path.normalize(folder).split(path.sep).filter(Boolean);
  return parts.at(-1) === ".bin" && parts.at(-2) === "node_modules";
}

/** Whether a place lies in one of the folders, by itself or by its real path. */
export function isIn(folders: readonly string[], place: string): boolean {
  const real = realPath(place);
  return folders.some((folder) => isInside(folder, place) || (real !== undefined && isInside(folder, real)));
}

export function realPath(place: string): string | undefined {
  try {
    return realpathSync.native(place);
  } catch {
    return undefined;
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

const ENV: ReadonlySet<string> = new Set(["/usr/bin/env", "/bin/env"]);

/** The program in the first line of a program (`#!/usr/bin/env node`): an absolute path, or a name to find in PATH. */
export function interpreterOf(program: string): string | undefined {
  const [, line = ""] = /^#![ \t]*([^\n]*)/.exec(firstBytes(program)) ?? [];
  const [command = "", first, second] = line.trim().split(/[ \t]+/);
  if (ENV.has(command)) return first === "-S" ? second : first;
  return path.isAbsolute(command) ? command : undefined;
}

function firstBytes(file: string): string {
  const descriptor = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(256);
    return bytes.toString("latin1", 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
