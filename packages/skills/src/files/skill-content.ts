import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { isInside, sha256 } from "#util";
import { defined, Refusal } from "#util/pure";

/** One file of a skill. */
export interface ContentFile {
  readonly bytes: Buffer;
  readonly isExecutable: boolean;
  /** In a source: its content was read through a link. */
  readonly isLinked?: true;
  /** In an installed skill: a link or a special file. Its bytes say only where a link leads. */
  readonly isOdd?: true;
  /** Of a link in an installed skill: where it leads, as it is written. */
  readonly linkTo?: string;
}

/** The files of a skill by their paths, with `/`. */
export type SkillContent = ReadonlyMap<string, ContentFile>;

/** The SHA-256 of each file, in hexadecimal. */
export type FileDigests = Readonly<Record<string, string>>;

/** Folders that are never part of a skill; the hash of the `skills` tool leaves out the same ones. */
const LEFT_OUT: ReadonlySet<string> = new Set([".git", "node_modules"]);
const MOST_FILES = 10_000;
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Reads a skill of a source. Links count as what they lead to, which must lie inside the source. The calls are direct,
 * because a command has nothing else to do and the thread pool costs several times as much for small files.
 */
export function readSourceContent(folder: string, source: string): SkillContent {
  const files = new Map<string, ContentFile>();
  let bytesLeft = MOST_BYTES;
  const readInto = (dir: string, prefix: string, links: readonly string[]): void => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const name = prefix + entry.name;
      const isLink = entry.isSymbolicLink();
      const place = isLink ? linkTarget(path.join(dir, entry.name), source) : path.join(dir, entry.name);
      if (place === undefined)
        throw refused(folder, `'${name}' is a link that leads out of the source, or nowhere`);
      const stats = statSync(place);
      if (stats.isDirectory()) {
        if (LEFT_OUT.has(entry.name)) continue;
        if (isLink && links.some((link) => isInside(place, link)))
          throw refused(folder, `'${name}' is a link to a folder that contains it`);
        readInto(place, `${name}/`, isLink || links.length > 0 ? [...links, place] : []);
        continue;
      }
      if (!stats.isFile()) throw refused(folder, `'${name}' is neither a file nor a folder`);
      bytesLeft -= stats.size;
      if (files.size >= MOST_FILES || bytesLeft < 0)
        throw refused(folder, `it has more than ${MOST_FILES} files or 256 MiB`);
      const isLinked = isLink || links.length > 0 ? ({ isLinked: true } as const) : {};
      files.set(name, { bytes: readFileSync(place), isExecutable: (stats.mode & 0o100) !== 0, ...isLinked });
    }
  };
  readInto(folder, "", []);
  return files;
}

function linkTarget(link: string, source: string): string | undefined {
  try {
    const target = realpathSync.native(link);
    // A link to a folder above itself would never end.
    return isInside(source, target) && !isInside(target, link) ? target : undefined;
  } catch {
    return undefined;
  }
}

/** Reads an installed skill, following no link; undefined when there is no such folder. */
export function readInstalledContent(folder: string): SkillContent | undefined {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  const files = new Map<string, ContentFile>();
  const readInto = (dir: string, prefix: string): void => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const place = path.join(dir, entry.name);
      const name = prefix + entry.name;
      if (entry.isDirectory()) {
        if (!LEFT_OUT.has(entry.name)) readInto(place, `${name}/`);
      } else if (entry.isFile()) {
        const isExecutable = (lstatSync(place).mode & 0o100) !== 0;
        files.set(name, { bytes: readFileSync(place), isExecutable });
      } else {
        const linkTo = entry.isSymbolicLink() ? readlinkSync(place) : undefined;
        const bytes = Buffer.from(`link:${linkTo ?? ""}`);
        files.set(name, { bytes, isExecutable: false, isOdd: true, ...defined({ linkTo }) });
      }
    }
  };
  readInto(folder, "");
  return files;
}

export function digestsOf(content: SkillContent): FileDigests {
  const names = [...content.keys()].sort();
  return Object.fromEntries(
    names.map((name) => [name, sha256(content.get(name)?.bytes ?? "").toString("hex")]),
  );
}

/** Names everything that the digests name: what an original is stored under. */
export function digestOfAll(digests: FileDigests): string {
  const lines = Object.keys(digests)
    .sort()
    .map((name) => `${digests[name]}  ${name}\n`);
  return sha256(lines.join("")).toString("hex");
}

function refused(folder: string, reason: string): Refusal {
  return new Refusal(`The skill in ${folder} cannot be installed: ${reason}.`, {
    code: "cannot-install",
    name: path.basename(folder),
  });
}
