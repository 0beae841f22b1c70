import { mkdir, mkdtemp, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Snapshot } from "#skills";
import { describeError, errorCode, isInside } from "#util";
import { Refusal } from "#util/pure";
import {
  createPublisher,
  downloadBytes,
  FOLDER_0_1,
  FOLDER_0_2,
  INDEX_FILE,
  indexOf01,
  indexOf02,
  type Publication,
  publishedFileBytes,
} from "./create-publisher.ts";
import { publishProblems, type SiteProblem } from "./publish-problems.ts";
import { digestOfFile, readManifest, type SiteManifest, stageFile, writeManifest } from "./site-files.ts";

/** What was done to a folder; every path is below it, with `/`. */
interface SiteChanges {
  readonly written: readonly string[];
  readonly unchanged: number;
  /** Files of an earlier publication that this one does not have. */
  readonly removed: readonly string[];
  /** Files of an earlier publication that were changed since, so they stay. */
  readonly kept: readonly string[];
}

const STAGING = ".skills-mcp-staging-";
/** A run that was killed leaves its staging folder behind. */
const ABANDONED_MS = 10 * 60_000;

interface SiteFile {
  readonly path: string;
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

interface PublishedSite extends SiteChanges {
  /** Absolute. */
  readonly dir: string;
  readonly publication: Publication;
  /** The folders with the indexes of discovery 0.2 and 0.1, below it. */
  readonly folders: readonly string[];
}

/** What is published, and who decides about it. */
interface SiteRequest {
  readonly dir: string;
  /** Every folder that is searched for skills: none of them may contain the site. */
  readonly roots: Snapshot["roots"];
  /** Of the user, whose settings say which findings of the audit are accepted. */
  readonly home: string;
  /** Called with everything that is about to be published; false: nothing is written. */
  readonly confirm: (publication: Publication) => Promise<boolean>;
}

type SiteResult =
  | { readonly kind: "published"; readonly site: PublishedSite }
  /** One skill that must not be published leaves all of them unpublished. */
  | { readonly kind: "refused"; readonly problems: readonly SiteProblem[] }
  | { readonly kind: "declined" };

/** Publishes the skills of a snapshot into a folder: all of them, or none. */
export async function publishSite(
  snapshot: Snapshot,
  { dir, roots, home, confirm }: SiteRequest,
): Promise<SiteResult> {
  const root = roots.find((each) => isInside(each.dir, dir));
  if (root !== undefined) {
    throw new Refusal(
      `${dir} lies in ${root.dir}, whose skills are served, so the copies would be served as well. Choose another folder with --dir.`,
      { code: "cannot-write", file: dir },
    );
  }
  const problems = await publishProblems(snapshot, home);
  if (problems.length > 0) return { kind: "refused", problems };
  const publication = await createPublisher().publicationOf(snapshot);
  if (publication.skills.length === 0) {
    const reasons = publication.left.map(({ name, reason }) => `${name}: ${reason}`);
    throw new Refusal(
      reasons.length === 0
        ? "There are no skills to publish. Run skills-mcp list to see what is found."
        : `No skill can be published. ${reasons.join("; ")}.`,
      { code: "cannot-write", file: dir },
    );
  }
  if (!(await confirm(publication))) return { kind: "declined" };
  const changes = await writeSite(publication, path.resolve(dir));
  return { kind: "published", site: { dir, publication, folders: [FOLDER_0_2, FOLDER_0_1], ...changes } };
}

/**
 * Writes a publication as static files. Everything is staged first, then each file is renamed into place, the indexes
 * last: a killed run leaves whole files, and the next one finishes the work. A file that publish did not write is never
 * replaced or removed.
 */
async function writeSite(publication: Publication, out: string): Promise<SiteChanges> {
  const base = path.join(out, ".well-known");
  try {
    await mkdir(base, { recursive: true });
    await removeAbandoned(base);
    const staging = await mkdtemp(path.join(base, STAGING));
    try {
      return await replaceFiles(publication, out, staging);
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  } catch (error) {
    if (error instanceof Refusal || errorCode(error) === "") throw error;
    throw new Refusal(
      `${out} cannot be written: ${describeError(error)}.`,
      { code: "cannot-write", file: out },
      { cause: error },
    );
  }
}

async function replaceFiles(publication: Publication, out: string, staging: string): Promise<SiteChanges> {
  const before = await readManifest(out);
  const staged = new Map<string, string>();
  for (const { path: file, bytes } of siteFiles(publication)) {
    staged.set(file, await stageFile(path.join(staging, file), bytes()));
  }
  requireUnchanged(publication, staged);
  const changed = await findChanged(staged, before, out);
  // Until all is done, the old files and the new ones are ours.
  await writeManifest(out, [before, staged]);
  for (const file of changed) {
    const target = path.join(out, file);
    await mkdir(path.dirname(target), { recursive: true });
    await rename(path.join(staging, file), target);
  }
  const { removed, kept } = await removeStale(before, staged, out);
  await writeManifest(out, [staged]);
  return { written: changed, unchanged: staged.size - changed.length, removed, kept };
}

/** What was checked and shown is what is published, however long the answer to the question took. */
function requireUnchanged({ skills }: Publication, staged: ReadonlyMap<string, string>): void {
  const changed = skills.find(
    ({ download, artifact }) =>
      staged.get(`${FOLDER_0_2}/${download}`) !== artifact.digest.replace(/^sha256:/, ""),
  );
  if (changed === undefined) return;
  const file = changed.skill.dir;
  throw new Refusal(`${file} was changed meanwhile, so nothing was published. Publish again.`, {
    code: "cannot-write",
    file,
  });
}

/** The files to replace. Refuses if one of them is not ours. */
async function findChanged(
  staged: ReadonlyMap<string, string>,
  before: SiteManifest,
  out: string,
): Promise<readonly string[]> {
  const changed: string[] = [];
  const foreign: string[] = [];
  for (const [file, digest] of staged) {
    const now = await digestOfFile(path.join(out, file));
    if (now === digest) continue;
    if (now !== undefined && before.get(file)?.includes(now) !== true) foreign.push(file);
    else changed.push(file);
  }
  const [first] = foreign;
  if (first === undefined) return changed;
  const more = foreign.length > 1 ? ` and ${foreign.length - 1} more` : "";
  throw new Refusal(
    `${path.join(out, first)}${more} would be replaced, but publish did not write it, or someone changed it since. Remove or move it, or choose another folder with --dir.`,
    { code: "cannot-write", file: path.join(out, first) },
  );
}

async function removeStale(before: SiteManifest, staged: ReadonlyMap<string, string>, out: string) {
  const removed: string[] = [];
  const kept: string[] = [];
  for (const [file, digests] of before) {
    if (staged.has(file)) continue;
    const target = path.join(out, file);
    const now = await digestOfFile(target);
    if (now === undefined) continue;
    if (!digests.includes(now)) {
      kept.push(file);
      continue;
    }
    await rm(target);
    removed.push(file);
    await removeEmptyFolders(path.dirname(target), out);
  }
  return { removed, kept };
}

/** A folder with anything in it stays. */
async function removeEmptyFolders(folder: string, out: string): Promise<void> {
  let current = folder;
  while (path.basename(current) !== ".well-known" && current !== out) {
    try {
      await rmdir(current);
    } catch {
      return;
    }
    current = path.dirname(current);
  }
}

async function removeAbandoned(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    if (!name.startsWith(STAGING)) continue;
    const folder = path.join(base, name);
    const { mtimeMs } = await stat(folder);
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(folder, { recursive: true, force: true });
  }
}

/** What a server answers under the same paths; the indexes are last. */
function siteFiles(publication: Publication): readonly SiteFile[] {
  const files: SiteFile[] = [];
  for (const published of publication.skills) {
    const { name, artifact, download } = published;
    files.push({ path: `${FOLDER_0_2}/${download}`, bytes: () => downloadBytes(published) });
    if (!artifact.addressable) continue;
    for (const { path: file } of artifact.files) {
      files.push({
        path: `${FOLDER_0_1}/${name}/${file}`,
        async *bytes() {
          const bytes = await publishedFileBytes(published, file);
          if (bytes !== undefined) yield bytes;
        },
      });
    }
  }
  const json = (folder: string, value: object): SiteFile => ({
    path: `${folder}/${INDEX_FILE}`,
    async *bytes() {
      yield Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
    },
  });
  return [...files, json(FOLDER_0_1, indexOf01(publication)), json(FOLDER_0_2, indexOf02(publication))];
}
