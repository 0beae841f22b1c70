import { existsSync, lstatSync, readlinkSync } from "node:fs";
import path from "node:path";
import { isInside } from "#util";
import { isIn, realPath } from "./programs.ts";

/** Every sandbox has these. */
const ALWAYS_THERE = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib64",
  "/nix/store",
  "/gnu/store",
  "/etc/alternatives",
];
/** Never part of an installation. */
const NEVER = ["/proc", "/sys", "/dev"];
/** Each folder in these is somebody's home folder. */
const HOMES: ReadonlySet<string> = new Set(["/home", "/Users"]);
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

export interface PlaceRules {
  /** The user's home folders. */
  readonly homes: readonly string[];
  /** Folders whose content others write. What lies in them leads to no mount: neither a link nor a first line. */
  readonly content: readonly string[];
}

/**
 * Where a program of the operator is installed outside the system's own folders, by real paths: the targets of its links too.
 * Never the root, a home folder, or a folder that contains one.
 */
export function programPlaces(program: string, rules: PlaceRules): readonly string[] {
  const places = linksFrom(program, rules.content).flatMap((step) => installationOf(step, rules));
  return [...new Set(places)].filter((place) => !isAlwaysThere(place));
}

/** The path by which a sandbox with these mounts can start a program: as it was found, or its real path. */
export function visiblePath(program: string, places: readonly string[]): string {
  const folder = path.dirname(program);
  const isVisible =
    realPath(folder) === folder &&
    (isAlwaysThere(folder) || places.some((place) => isInside(place, program)));
  return isVisible ? program : (realPath(program) ?? program);
}

const isAlwaysThere = (place: string): boolean => ALWAYS_THERE.some((folder) => isInside(folder, place));

function linksFrom(program: string, content: readonly string[]): readonly string[] {
  const steps: string[] = [];
  for (let step = program; steps.length <= MOST_LINKS && !isIn(content, path.dirname(step)); ) {
    steps.push(step);
    if (lstatSync(step, { throwIfNoEntry: false })?.isSymbolicLink() !== true) break;
    step = path.resolve(path.dirname(step), readlinkSync(step));
  }
  return steps;
}

function installationOf(program: string, rules: PlaceRules): readonly string[] {
  const places = prefixOf(program, rules.homes).flatMap((place) => realPath(place) ?? []);
  const allowed = places.filter((place) => isAllowed(place, rules));
  if (allowed.length > 0) return allowed;
  const file = realPath(program);
  return file === undefined || isIn(rules.content, file) ? [] : [file];
}

function prefixOf(program: string, homes: readonly string[]): readonly string[] {
  const parts = program.split(path.sep);
  const modules = parts.indexOf("node_modules");
  if (modules !== -1) return [parts.slice(0, modules + 1).join(path.sep)];
  const folder = path.dirname(program);
  const prefix = PROGRAM_FOLDERS.has(path.basename(folder)) ? path.dirname(folder) : folder;
  if (!homes.includes(path.dirname(prefix))) return [prefix];
  return [program, ...INSTALLED.map((name) => path.join(prefix, name)).filter((place) => existsSync(place))];
}

/** A folder directly below the root, such as `/opt`, is shared by many installations. */
function isAllowed(place: string, { homes, content }: PlaceRules): boolean {
  const isFile = lstatSync(place, { throwIfNoEntry: false })?.isFile() === true;
  return (
    (isFile || place.split(path.sep).filter(Boolean).length > 1) &&
    !homes.some((home) => isInside(place, home)) &&
    !HOMES.has(path.dirname(place)) &&
    !NEVER.some((folder) => isInside(folder, place)) &&
    !isIn(content, place)
  );
}
