import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { openOriginals, writeContent } from "#install";
import type { FoundDeclaration } from "#library";
import { digestOfAll, digestsOf, type FileDigests, readInstalledContent, type SkillContent } from "#skills";
import { createProcessKey, platform, sha256 } from "#util";
import { Refusal } from "#util/pure";

/**
 * Every approved version twice: as one file that is checked whenever it is read (`content/<digest>.json`), and as a folder to
 * serve (`served/<key>-<digest>/<name>/`), which is made anew from that file whenever it is not exactly what was approved.
 */
export interface ApprovedCopies {
  /** Stores the content of a version. */
  store(content: SkillContent): void;
  load(digest: string): Promise<SkillContent | undefined>;
  /** The folder of a version, which ends with `name`, checked; undefined when its content is lost. */
  folderOf(key: string, digest: string, name: string): Promise<CheckedCopy | undefined>;
  /** Removes everything but these versions. */
  prune(wanted: readonly { readonly key: string; readonly digest: string }[]): Promise<void>;
}

interface CheckedCopy {
  readonly folder: string;
  readonly files: FileDigests;
}

/** An agent often may write where it reads; most programs then ask before they replace a file. Folders stay removable. */
const READ_ONLY = 0o444;
const READ_ONLY_PROGRAM = 0o555;

const REMOVE = { recursive: true, force: true } as const;

export function openApprovedCopies(ownFolder: string): ApprovedCopies {
  const base = path.join(ownFolder, "approved");
  const originals = openOriginals(path.join(base, "content"));
  const served = path.join(base, "served");
  const check = createCheck();

  return {
    store: (content) => originals.store(content),
    load: (digest) => originals.loadDigest(digest),
    async folderOf(key, digest, name) {
      const outer = path.join(served, nameOf(key, digest));
      const inner = path.join(outer, name);
      const copy = check(inner, digest);
      if (copy !== undefined) return copy;
      make({ outer, inner }, await originals.loadDigest(digest), () => check(inner, digest) !== undefined);
      return check(inner, digest);
    },
    async prune(wanted) {
      const names = new Set(wanted.map(({ key, digest }) => nameOf(key, digest)));
      const contents = new Set(wanted.map(({ digest }) => `${digest}.json`));
      for (const name of await readdir(served).catch(() => [])) {
        if (!names.has(name)) rmSync(path.join(served, name), REMOVE);
      }
      const content = path.join(base, "content");
      for (const name of await readdir(content).catch(() => [])) {
        if (!contents.has(name)) await rm(path.join(content, name), { force: true });
      }
    },
  };
}

/** Makes a folder of a version anew. Without its content nothing is made. */
function make(
  { outer, inner }: Record<"outer" | "inner", string>,
  content: SkillContent | undefined,
  isMade: () => boolean,
): void {
  if (content === undefined) return;
  mkdirSync(path.dirname(outer), { recursive: true, mode: 0o700 });
  const draft = `${outer}.${createProcessKey()}.tmp`;
  rmSync(draft, REMOVE);
  writeContent(path.join(draft, path.basename(inner)), content, false);
  makeReadOnly(draft);
  // Another process may have made the same folder meanwhile.
  if (renamed(draft, outer)) return;
  if (!isMade()) {
    rmSync(outer, REMOVE);
    renamed(draft, outer);
  }
  rmSync(draft, REMOVE);
}

/** Says whether a folder is what was approved. A folder whose entries have the sizes and times of the last check is not read again. */
function createCheck(): (folder: string, digest: string) => CheckedCopy | undefined {
  const checked = new Map<string, { readonly stats: string; readonly copy: CheckedCopy }>();
  return (folder, digest) => {
    const stats = statsBelow(folder);
    const known = checked.get(folder);
    if (known !== undefined && known.stats === stats) return known.copy;
    checked.delete(folder);
    const content = stats === undefined ? undefined : readInstalledContent(folder);
    if (content === undefined || stats === undefined) return undefined;
    const files = digestsOf(content);
    if (digestOfAll(files) !== digest || statsBelow(folder) !== stats) return undefined;
    const copy = { folder, files };
    checked.set(folder, { stats, copy });
    return copy;
  };
}

function renamed(from: string, to: string): boolean {
  try {
    platform.files.rename(from, to);
    return true;
  } catch {
    return false;
  }
}

function nameOf(key: string, digest: string): string {
  return `${sha256(key).toString("hex").slice(0, 12)}-${digest.slice(0, 20)}`;
}

/** The path, size, times and inode of every entry below a folder, as one text; undefined when there is no such folder. */
function statsBelow(folder: string): string | undefined {
  const lines: string[] = [];
  const add = (dir: string): void => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const place = path.join(dir, entry.name);
      // In full, not as a fingerprint: whoever can write here must not find other values with the same hash.
      const { size, mtimeMs, ctimeMs, ino } = lstatSync(place);
      if (entry.isDirectory()) add(place);
      lines.push(`${place}\0${size}\0${mtimeMs}\0${ctimeMs}\0${ino}`);
    }
  };
  try {
    add(folder);
    return lines.join("\n");
  } catch {
    return undefined;
  }
}

function makeReadOnly(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) makeReadOnly(place);
    else chmodSync(place, (lstatSync(place).mode & 0o111) === 0 ? READ_ONLY : READ_ONLY_PROGRAM);
  }
}

/** Refuses bytes, read from a script of an approved skill in order to run them, that are not those that were approved. */
export async function refuseUnapproved(
  { skill, declaration }: FoundDeclaration,
  bytes: Uint8Array,
  ownFolder: string,
): Promise<void> {
  if (skill.approved === undefined) return;
  const content = await openApprovedCopies(ownFolder).load(skill.approved);
  const folder = path.posix.basename(skill.filePath).replace(/\.md$/, "");
  const approved = content?.get(path.posix.join(folder, declaration.file))?.bytes;
  if (approved?.equals(bytes) === true) return;
  throw new Refusal(
    `The script "${declaration.file}" of "${skill.path}" is not what was approved. To approve it, run: skills-mcp approve ${skill.path}`,
    { code: "library", reason: "not-approved" },
  );
}
