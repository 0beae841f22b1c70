import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  statSync,
} from "node:fs";
import path from "node:path";
import { isInside } from "../../system/files/inside.ts";

/** Every sandbox has these. */
const ALWAYS_THERE = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/nix/store", "/gnu/store"];
const PROGRAM_FOLDERS: ReadonlySet<string> = new Set(["bin", "sbin", "libexec", "shims"]);
/**
 * The parts of an installation directly in a home folder. Its other folders may contain secrets
 * (`~/.cargo/credentials.toml`, `~/.local/share/keyrings`).
 */
const INSTALLED = [
  "bin",
  "sbin",
  "lib",
  "lib64",
  "libexec",
  "include",
  "shims",
  "versions",
  "installs",
  "tools",
  "opt",
  "Cellar",
  "node_modules",
  "version",
  "pyvenv.cfg",
];
const MOST_LINKS = 16;

/** Where a program is installed outside the system's own folders, with the targets of its links. */
export function programPlaces(program: string, homes: readonly string[]): readonly string[] {
  const places = new Set(linksFrom(program).flatMap((step) => installationOf(step, homes)));
  return [...places].filter((place) => !ALWAYS_THERE.some((folder) => isInside(folder, place)));
}

/** The program in the first line of a script (`#!/usr/bin/env node`): a path, or a name to find in PATH. */
export function interpreterOf(program: string): string | undefined {
  const [, command, first] = /^#![ \t]*(\S+)(?:[ \t]+(\S+))?/.exec(firstBytes(program)) ?? [];
  return command !== undefined && path.basename(command) === "env" ? first : command;
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

function linksFrom(program: string): readonly string[] {
  const steps = [program];
  for (let step = program; steps.length <= MOST_LINKS && isLink(step); steps.push(step)) {
    step = path.resolve(path.dirname(step), readlinkSync(step));
  }
  return steps;
}

const isLink = (file: string): boolean =>
  lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;

function installationOf(program: string, homes: readonly string[]): readonly string[] {
  const parts = program.split(path.sep);
  const modules = parts.indexOf("node_modules");
  if (modules !== -1) return [parts.slice(0, modules + 1).join(path.sep)];
  const folder = path.dirname(program);
  const prefix = PROGRAM_FOLDERS.has(path.basename(folder)) ? path.dirname(folder) : folder;
  // A prefix that contains the home folder would show all of it.
  if (homes.some((home) => isInside(prefix, home))) return [program];
  if (!homes.includes(path.dirname(prefix))) return [prefix];
  return [program, ...INSTALLED.map((name) => path.join(prefix, name)).filter((place) => existsSync(place))];
}

/** The absolute path of a program, found in the folders of `searchPath` as a shell does; or undefined. */
export function findProgram(name: string, searchPath: string, platform: NodeJS.Platform): string | undefined {
  // Windows starts batch files only through a shell, so only real programs count there.
  const endings = platform === "win32" && path.extname(name) === "" ? [".exe", ".com"] : [""];
  const folders = path.isAbsolute(name) ? [""] : searchPath.split(path.delimiter);
  for (const folder of folders) {
    // An empty or relative entry means the working folder, which a client chooses.
    if (folder !== "" && !path.isAbsolute(folder)) continue;
    if (folder === "" && !path.isAbsolute(name)) continue;
    for (const ending of endings) {
      const file = folder === "" ? `${name}${ending}` : path.join(folder, `${name}${ending}`);
      if (isProgram(file)) return file;
    }
  }
  return undefined;
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
