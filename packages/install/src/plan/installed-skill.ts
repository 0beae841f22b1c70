import { lstatSync } from "node:fs";
import path from "node:path";
import { digestsOf, type FileDigests, readInstalledContent, type SkillContent } from "#skills";
import { readLocked } from "../lock/lock-file.ts";
import type { LockedSkill } from "../lock/lock-text.ts";
import { type InstallPlaces, type Target, targetOf } from "../target.ts";
import { computedHash, gitTreeHash } from "./content-hashes.ts";
import { compareFiles, folderName } from "./plan.ts";

/** What is in the place of a skill. */
export type InstalledSkill =
  | { readonly kind: "missing"; readonly folder: string }
  /** Someone made a link, or a file; it is left alone. */
  | { readonly kind: "link" | "file"; readonly folder: string }
  | {
      readonly kind: "folder";
      readonly folder: string;
      readonly content: SkillContent;
      readonly digests: FileDigests;
    };

/** `locked` is its entry, which may say that it lies in the folder of an agent. */
export function readInstalled(name: string, target: Target, locked?: LockedSkill): InstalledSkill {
  const folder =
    locked === undefined ? path.join(target.skillsDir, folderName(name)) : placeOf(locked, target);
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return { kind: "missing", folder };
  if (stats.isSymbolicLink()) return { kind: "link", folder };
  const content = readInstalledContent(folder);
  return content === undefined
    ? { kind: "file", folder }
    : { kind: "folder", folder, content, digests: digestsOf(content) };
}

/** The entries of the lock of a scope, each with the folder of its skill. A damaged lock is a `Refusal`. */
export async function lockedIn(scope: Target["scope"], places: InstallPlaces) {
  const target = await targetOf(scope, places);
  const all = await readLocked(target.lock);
  return all.map((locked) => ({ locked, target, place: placeOf(locked, target) }));
}

/** The folder of a locked skill. The `skills` tool installs for one agent into the folder of that agent alone. */
export function placeOf({ name, own }: LockedSkill, target: Target): string {
  const usual = path.join(target.skillsDir, folderName(name));
  if (own !== undefined)
    return (own.folder === undefined ? undefined : agentPlace(own.folder, name, target)) ?? usual;
  if (lstatSync(usual, { throwIfNoEntry: false }) !== undefined) return usual;
  const isFolder = (place: string): boolean =>
    lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  return target.agentDirs.map((dir) => path.join(dir, folderName(name))).find(isFolder) ?? usual;
}

/**
 * The absolute path of a place that a lock names. Undefined unless it is the folder of this skill in the folder of an agent:
 * a lock comes with a project, and must not lead anywhere else.
 */
export function agentPlace(relative: string, name: string, { base, agentDirs }: Target): string | undefined {
  const place = path.resolve(base, relative);
  const isKnown = agentDirs.includes(path.dirname(place)) && path.basename(place) === folderName(name);
  return isKnown ? place : undefined;
}

/** How an installed skill differs from what the lock says. */
export type Drift =
  | { readonly kind: "none" }
  /** As locked, but for the name of its file, which `skills-mcp disable` changed. */
  | { readonly kind: "disabled" }
  | { readonly kind: "edited"; readonly files: readonly string[] }
  /** The lock has no digest of each file, so that only the whole can be compared. */
  | { readonly kind: "differs" };

export function driftOf({ own, hash }: LockedSkill, found: SkillContent): Drift {
  const enabledFile = Object.keys(own?.files ?? {}).find(isEnabledFile) ?? "SKILL.md";
  const content = withRenamed(found, DISABLED_FILE, enabledFile);
  const none: Drift = { kind: content === found ? "none" : "disabled" };
  if (own !== undefined) {
    const { added, changed, removed } = compareFiles(own.files, digestsOf(content));
    const files = [
      ...changed,
      ...added.map((file) => `${file} (added)`),
      ...removed.map((file) => `${file} (removed)`),
    ];
    return files.length === 0 ? none : { kind: "edited", files };
  }
  return hash === computedHash(content) || hash === gitTreeHash(content) ? none : { kind: "differs" };
}

/** The content of a disabled skill as it would be enabled, with the name that its file has in `like`. */
export function enabledContent(content: SkillContent, like: SkillContent): SkillContent | undefined {
  const enabled = [...content.keys()].some(isEnabledFile)
    ? content
    : withRenamed(content, DISABLED_FILE, [...like.keys()].find(isEnabledFile) ?? "SKILL.md");
  return enabled === content ? undefined : enabled;
}

const DISABLED_FILE = ".SKILL.md";
const isEnabledFile = (file: string): boolean => /^skill\.md$/i.test(file);

/** The content of a skill as it is while the skill is disabled. */
export function disabledContent(content: SkillContent): SkillContent {
  return withRenamed(content, [...content.keys()].find(isEnabledFile), DISABLED_FILE);
}

/** The very same content if it does not have the file, or has one of the new name. */
function withRenamed(content: SkillContent, from: string | undefined, to: string): SkillContent {
  if (from === undefined || !content.has(from) || content.has(to)) return content;
  return new Map(Array.from(content, ([file, data]) => [file === from ? to : file, data]));
}
