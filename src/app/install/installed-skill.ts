import { lstatSync } from "node:fs";
import path from "node:path";
import {
  computedHash,
  digestsOf,
  type FileDigests,
  gitTreeHash,
  readInstalledContent,
  type SkillContent,
} from "../../install/content/skill-content.ts";
import type { LockedSkill } from "../../install/lock/lock-text.ts";
import { compareFiles, folderName } from "./plan.ts";
import type { Target } from "./target.ts";

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

export function readInstalled(name: string, { skillsDir }: Target): InstalledSkill {
  const folder = path.join(skillsDir, folderName(name));
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return { kind: "missing", folder };
  if (stats.isSymbolicLink()) return { kind: "link", folder };
  const content = readInstalledContent(folder);
  return content === undefined
    ? { kind: "file", folder }
    : { kind: "folder", folder, content, digests: digestsOf(content) };
}

/** How an installed skill differs from what the lock says. */
export type Drift =
  | { readonly kind: "none" }
  | { readonly kind: "edited"; readonly files: readonly string[] }
  /** The lock has no digest of each file, so that only the whole can be compared. */
  | { readonly kind: "differs" };

export function driftOf({ own, hash }: LockedSkill, content: SkillContent): Drift {
  if (own !== undefined) {
    const { added, changed, removed } = compareFiles(own.files, digestsOf(content));
    const files = [
      ...changed,
      ...added.map((file) => `${file} (added)`),
      ...removed.map((file) => `${file} (removed)`),
    ];
    return files.length === 0 ? { kind: "none" } : { kind: "edited", files };
  }
  return hash === computedHash(content) || hash === gitTreeHash(content)
    ? { kind: "none" }
    : { kind: "differs" };
}
