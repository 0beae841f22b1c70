import type { AuditFinding } from "#check";
import { digestsOf, type FileDigests, type SkillContent } from "#skills";
import type { FolderChange } from "../apply/apply-changes.ts";
import type { RawEntry } from "../lock/lock-text.ts";

export type PlannedAction = "add" | "update" | "keep" | "remove" | "conflict";

/** What an update does to the files of a skill. */
export interface FileChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** With changes of both sides. */
  readonly merged: readonly string[];
  /** Edited by hand, and still so. */
  readonly kept: readonly string[];
}

/** One line of a plan. */
export interface PlannedSkill {
  readonly action: PlannedAction;
  readonly name: string;
  /** The source with its commit, or why there is none. */
  readonly source: string;
  readonly commit?: string;
  readonly folder: string;
  readonly files: FileChanges;
  /** Of a conflict, or of a skill that stays as it is. */
  readonly reason?: string;
  /** What the audit finds in what would be installed; absent when that is nothing. */
  readonly findings?: readonly AuditFinding[];
  /** The unified diff, when it was asked for. */
  readonly diff?: string;
}

/** A line of a plan with what carries it out. */
export interface PlannedStep {
  readonly shown: PlannedSkill;
  readonly change?: FolderChange;
  /** Nothing changes on the disk, but the entry in the lock does; `null` removes it. */
  readonly entry?: RawEntry | null;
  /** The content of the source, for the merge of a later update. */
  readonly original?: SkillContent;
  /** The files before and after, for a diff. */
  readonly before?: SkillContent;
  readonly after?: SkillContent;
}

export const NO_FILES: FileChanges = { added: [], changed: [], removed: [], merged: [], kept: [] };

/** The differences between two states of a skill. */
export function compareFiles(before: FileDigests, after: FileDigests): Omit<FileChanges, "merged" | "kept"> {
  // A file may be called `constructor` or `__proto__`, which every object seems to have.
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return {
    added: [...is.keys()].filter((name) => !was.has(name)),
    changed: [...is.keys()].filter((name) => was.has(name) && was.get(name) !== is.get(name)),
    removed: [...was.keys()].filter((name) => !is.has(name)),
  };
}

export function isSame(a: SkillContent, b: SkillContent): boolean {
  const { added, changed, removed } = compareFiles(digestsOf(a), digestsOf(b));
  return added.length + changed.length + removed.length === 0;
}

/** The folder of a skill: the same name that the `skills` tool gives it. */
export function folderName(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/g, "-")
    .replaceAll(/^[.-]+|[.-]+$/g, "");
  return plain.slice(0, 255) || "unnamed-skill";
}
