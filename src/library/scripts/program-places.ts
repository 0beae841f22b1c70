import { closeSync, existsSync, lstatSync, openSync, readlinkSync, readSync } from "node:fs";
import path from "node:path";
import { isInside } from "../sandbox/mounts.ts";

/** Always there for a script in a sandbox. */
const ALWAYS_THERE = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/nix/store", "/gnu/store"];
const PROGRAM_FOLDERS: ReadonlySet<string> = new Set(["bin", "sbin", "libexec", "shims"]);
/**
 * What belongs to an installation that sits directly in a home folder. Others of its folders may hold secrets
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

/** What a program is made of outside the system's own folders: its installation, and the one that its links lead to. */
export function programPlaces(program: string, homes: readonly string[]): readonly string[] {
  const places = new Set(linksFrom(program).flatMap((step) => installationOf(step, homes)));
  return [...places].filter((place) => !ALWAYS_THERE.some((folder) => isInside(place, folder)));
}

/** The program that a script file names in its first line (`#!/usr/bin/env node`): a path, or a name to look for. */
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
  const modules = program.split(path.sep).indexOf("node_modules");
  if (modules !== -1)
    return [
      program
        .split(path.sep)
        .slice(0, modules + 1)
        .join(path.sep),
    ];
  const folder = path.dirname(program);
  const prefix = PROGRAM_FOLDERS.has(path.basename(folder)) ? path.dirname(folder) : folder;
  // A prefix that holds the home folder would show all of it.
  if (homes.some((home) => isInside(home, prefix))) return [program];
  if (!homes.includes(path.dirname(prefix))) return [prefix];
  return [program, ...INSTALLED.map((name) => path.join(prefix, name)).filter((place) => existsSync(place))];
}
