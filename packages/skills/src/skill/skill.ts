import { escapeInvisibleCharacters } from "#util/pure";
import type { Invocation } from "./invocation.ts";
import type { Requirements } from "./requirements.ts";

/** Where a skill was found. The XML block of the `skill` tool prints `user` as `global`. */
export type Location = "project" | "user" | "repo" | "plugin";

export interface Plugin {
  readonly name: string;
  /** Absent when the plugin's key has no `@<marketplace>` part. */
  readonly marketplace?: string;
  /** Set for an npm package, whose skills are named like a plugin's. */
  readonly package?: NpmPackage;
}

interface NpmPackage {
  /** As the project names it. */
  readonly name: string;
  /** As it calls itself, where that differs. */
  readonly alias?: string;
}

/** The place in a git repository that a skill is served from. */
export interface RepoPlace {
  readonly url: string;
  /** The skill's folder in the repository, with `/`; empty for the repository itself. */
  readonly path: string;
  readonly commit: string;
}

/** One SKILL.md as the disk shows it: enough for every listing, without the body. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  /**
   * The agent whose folder contains it: `claude`, `codex`, …; `file` for a folder named on the command line, `git` for a
   * repository.
   */
  readonly provider: string;
  readonly location: Location;
  readonly plugin?: Plugin;
  /** Set where it comes from a repository. */
  readonly repo?: RepoPlace;
  /** Absolute folder, spelled as seen below its root: what people and agents are shown. */
  readonly dir: string;
  /** The file's name inside `dir`: `SKILL.md`, another spelling of it, or `.SKILL.md` when disabled. */
  readonly fileName: string;
  /** The folder after every link is resolved: two skills with one real folder are one skill. */
  readonly realDir: string;
  /** The real path of the file, when it is itself a link out of `realDir`. */
  readonly linkedFile?: string;
  /** Where the skill comes from, for one that the user did not write although its folder looks so. */
  readonly label?: string;
  /** Its file lacks a name or description, and it is served all the same. */
  readonly lenient?: true;
  /** True: a text with invisible characters in it is not served. */
  readonly strict?: true;
  /** What its author says about who uses it; absent for the many that say nothing. */
  readonly invocation?: Invocation;
  /** What its author says that it is and needs; absent for the many that say nothing. */
  readonly requirements?: Requirements;
  /** Set where `dir` is an approved copy, and not the folder that the skill was found in. */
  readonly approved?: ApprovedCopy;
  /** Real folders below its own with skills that are not served to the client that sees this one. */
  readonly without?: readonly string[];
}

/** An approved version of a skill, which is served whatever its folder holds by now. */
interface ApprovedCopy {
  /** The SHA-256 of all files, in hexadecimal. */
  readonly digest: string;
  /** The folder that the skill was found in. */
  readonly from: string;
}

/** The folder that a skill was found in, as seen below its root. */
export function foundIn({ dir, approved }: Pick<Skill, "dir" | "approved">): string {
  return approved?.from ?? dir;
}

/** `name@marketplace`, as plugins are written in `installed_plugins.json`. */
export function pluginId(plugin: Plugin): string {
  return plugin.marketplace === undefined ? plugin.name : `${plugin.name}@${plugin.marketplace}`;
}

/** What most names are, and nothing that would have to be replaced. */
const USUAL = /^[A-Za-z0-9_-]+$/;

/** What makes a typed name look like a path, or undefined. A lookup never becomes a path, so these are refused. */
export function pathPartIn(name: string): string | undefined {
  if (name.includes("\0")) return "a NUL character";
  if (name.includes("/")) return "'/'";
  if (name.includes("\\")) return "'\\'";
  if (name.includes("..")) return "'..'";
  return undefined;
}

/**
 * A name from front matter as it can be typed back. `CI/CD helper` could never be loaded, because typed names
 * that contain `/` are refused, so it is served as `CI-CD helper`. An invisible character becomes a visible escape, so that no
 * name looks like another. Empty when nothing readable is left.
 */
export function loadableName(name: string): string {
  if (USUAL.test(name)) return name;
  const oneLine = escapeInvisibleCharacters(name.replace(/[\p{Cc}\u2028\u2029]/gu, " "))
    .replace(/\s+/g, " ")
    .trim();
  if (pathPartIn(oneLine) === undefined) return oneLine;
  return trimDashes(oneLine.replace(/(?:\.{2,}|[/\\])+/g, "-"));
}

/** By hand: the pattern `-+$` takes quadratic time on a hostile name. */
function trimDashes(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === "-") start++;
  while (end > start && text[end - 1] === "-") end--;
  return text.slice(start, end).trim();
}

/** The longest name that the Agent Skills specification allows. */
export const LONGEST_NAME = 64;

/** The nearest name that the specification allows: `a-z`, `0-9` and single hyphens. Empty where nothing is left of it. */
export function plainName(name: string): string {
  const parts = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== "");
  return parts.join("-").slice(0, LONGEST_NAME).replace(/-$/, "");
}
