import { diff3Merge } from "node-diff3";
import type { ContentFile, SkillContent } from "#skills";
import { foldersAbove } from "./beside-content.ts";

/** A file that was changed by hand and by its source, in ways that do not fit together. */
interface MergeConflict {
  readonly file: string;
  readonly reason:
    | "both-changed"
    | "both-added"
    | "binary"
    | "edited-and-removed"
    | "removed-and-changed"
    | "link";
}

export interface MergedContent {
  readonly content: SkillContent;
  /** Files with changes of both sides. */
  readonly merged: readonly string[];
  /** Files that are as they were edited by hand. */
  readonly kept: readonly string[];
  readonly conflicts: readonly MergeConflict[];
}

type Choice = ContentFile | "removed" | MergeConflict["reason"];

/** Longer files are not compared line by line. */
const MOST_LINES = 20_000;

/**
 * Puts the edits between `base` and `mine` into `theirs`. Where both sides changed the same place it is a conflict, and
 * nothing is decided.
 */
export function mergeContent(base: SkillContent, mine: SkillContent, theirs: SkillContent): MergedContent {
  const content = new Map<string, ContentFile>();
  const merged: string[] = [];
  const kept: string[] = [];
  const conflicts: MergeConflict[] = [];
  for (const file of [...new Set([...base.keys(), ...mine.keys(), ...theirs.keys()])].sort()) {
    const [was, edited, fetched] = [base.get(file), mine.get(file), theirs.get(file)];
    const choice = chooseFile(was, edited, fetched);
    if (choice === "removed") {
      if (!same(edited, was)) kept.push(file);
      continue;
    }
    if (typeof choice === "string") {
      conflicts.push({ file, reason: choice });
      continue;
    }
    content.set(file, choice);
    if (choice !== edited && choice !== fetched) merged.push(file);
    else if (choice === edited && !same(edited, was)) kept.push(file);
  }
  // One name cannot be a file, or a link, and a folder.
  for (const file of new Set([...content.keys()].flatMap(foldersAbove)))
    if (content.has(file))
      conflicts.push({ file, reason: mine.get(file)?.isOdd === true ? "link" : "both-added" });
  return { content, merged, kept, conflicts };
}

/** Decides conflicts for what was edited. Returns the files that cannot be kept: sockets, pipes and devices. */
export function keepMine(
  { content: undecided, merged, kept, conflicts }: MergedContent,
  mine: SkillContent,
): { readonly merged: MergedContent; readonly dropped: readonly string[] } {
  const content = new Map(undecided);
  const dropped: string[] = [];
  for (const { file } of conflicts) {
    const own = mine.get(file);
    for (const below of [...content.keys()]) if (below.startsWith(`${file}/`)) content.delete(below);
    content.delete(file);
    if (own !== undefined && canBeWritten(own)) content.set(file, own);
    else if (own !== undefined) dropped.push(file);
  }
  const own = conflicts.map(({ file }) => file).filter((file) => !dropped.includes(file));
  const names = [...new Set([...kept, ...own])].sort();
  return { merged: { content, merged, kept: names, conflicts: [] }, dropped };
}

const canBeWritten = ({ isOdd, linkTo }: ContentFile): boolean => isOdd !== true || linkTo !== undefined;

function chooseFile(was?: ContentFile, edited?: ContentFile, fetched?: ContentFile): Choice {
  if (edited?.isOdd === true)
    return was === undefined && fetched === undefined && canBeWritten(edited) ? edited : "link";
  if (same(edited, was)) return fetched ?? "removed";
  if (same(fetched, was)) return edited ?? "removed";
  if (same(edited, fetched)) return edited ?? "removed";
  if (edited === undefined) return "removed-and-changed";
  if (fetched === undefined) return "edited-and-removed";
  if (was === undefined) return "both-added";
  return mergeText(was, edited, fetched);
}

function mergeText(was: ContentFile, edited: ContentFile, fetched: ContentFile): Choice {
  const [base, mine, theirs] = [linesOf(was), linesOf(edited), linesOf(fetched)];
  if (base === undefined || mine === undefined || theirs === undefined) return "binary";
  const regions = diff3Merge([...mine], [...base], [...theirs], { excludeFalseConflicts: true });
  const lines: string[] = [];
  for (const { ok, conflict } of regions) {
    if (conflict !== undefined || ok === undefined) return "both-changed";
    for (const line of ok) lines.push(line);
  }
  const isExecutable = edited.isExecutable === was.isExecutable ? fetched.isExecutable : edited.isExecutable;
  return { bytes: Buffer.from(lines.join("")), isExecutable };
}

/** Lines with their ends; undefined if it is not text. */
function linesOf({ bytes }: ContentFile): readonly string[] | undefined {
  if (bytes.includes(0)) return undefined;
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes)) return undefined;
  const lines = text.split(/(?<=\n)/);
  return lines.length > MOST_LINES ? undefined : lines;
}

function same(a?: ContentFile, b?: ContentFile): boolean {
  return a === undefined || b === undefined ? a === b : a.bytes.equals(b.bytes);
}
