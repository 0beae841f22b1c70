import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import path from "node:path";
import { createTimeSlices, isInside, POOLED_DISK, realpath, stat } from "#util";
import { visibleLine } from "#util/pure";
import type { LibraryFile, LibraryFiles } from "../library/library.ts";
import {
  type CachedHead,
  type FileState,
  fingerprintText,
  isSameTarget,
  sameItems,
} from "../read/file-reader.ts";
import { detached, type HeadFormat, readHead } from "../read/read-skill-file.ts";
import type { Diagnostic } from "../skill/diagnostic.ts";
import { type LibraryFrontMatter, parseLibrarySkill } from "../skill/parse-library-skill.ts";
import type { ReadingRules } from "../skill/parse-skill.ts";
import type { Location } from "../skill/skill.ts";
import type { CacheOptions } from "./catalog-cache.ts";
import { leadsNowhere } from "./links.ts";
import { below, LIBRARY } from "./listing.ts";
import { createRootScanner } from "./scan-root.ts";
import { failureDiagnostic } from "./scan-skills.ts";
import { type FoundFile } from "./scan-state.ts";
import type { ScanContext } from "./traverse.ts";

/** A folder of keyword-routed Markdown. */
export interface LibraryRoot {
  /** What is watched for: the library itself, or what leads to it. */
  readonly dir: string;
  /** Where the library is at this moment, asked once for each scan; `dir` when absent. */
  readonly locate?: () => Promise<LocatedLibrary | undefined>;
  readonly location: Location;
  /** What the paths of its skills begin with; empty for a single library. */
  readonly prefix: string;
  /** The user named the folder, so a missing one is reported. */
  readonly named: boolean;
  /** The address of the repository that it comes from; absent for a folder. */
  readonly repo?: string;
}

/** Where a library is at one moment. */
export interface LocatedLibrary {
  readonly dir: string;
  /** The files that are its skills, absolute, where others lie among them. Absent: every file claims to be one. */
  readonly files?: ReadonlySet<string>;
}

export interface ScannedLibrary extends LibraryFiles {
  /** The address of the repository that it comes from; absent for a folder. */
  readonly repo?: string;
  /** Another value means that the text of the file may differ. */
  readonly fingerprints: ReadonlyMap<LibraryFile, string>;
  readonly diagnostics: readonly Diagnostic[];
  readonly folders: ReadonlySet<string>;
  readonly awaited: readonly string[];
}

export interface LibraryScanOptions {
  readonly libraries?: readonly LibraryRoot[];
  readonly reading?: ReadingRules;
  readonly now: () => number;
  readonly cache?: CacheOptions;
}

/** Returns a function that scans the libraries. A second scan reads only what changed. */
export function createLibraryScanner(
  options: LibraryScanOptions,
): (context?: ScanContext) => Promise<readonly ScannedLibrary[]> {
  const scanners = (options.libraries ?? []).map((root) => createOneLibraryScanner(root, options));
  return async (context = { disk: POOLED_DISK, slices: createTimeSlices() }) => {
    const scanned: ScannedLibrary[] = [];
    for (const scan of scanners) scanned.push(await scan(context));
    return scanned;
  };
}

function createPlaceScanner(
  { dir: rootDir, files: only }: LocatedLibrary,
  { location, named }: LibraryRoot,
  { reading, now, cache }: LibraryScanOptions,
) {
  const strict = reading?.strict === true;
  const scan = createRootScanner<LibraryFrontMatter, LibraryResult>({
    rootDir,
    named: true,
    layout: LIBRARY,
    format: libraryHeads(strict),
    kind: strict ? "strict library" : "library",
    cache,
    now,
    ifMissing: named ? [missing(rootDir)] : [],
    choose: (files) => ({
      chosen:
        only === undefined ? files : files.filter(({ dir, fileName }) => only.has(below(dir, fileName))),
      diagnostics: [],
    }),
    interpret: (found, state, before, realDir) =>
      libraryResult(found, { dir: rootDir, realDir, location, strict }, state, before),
  });
  return { rootDir, scan };
}

function createOneLibraryScanner(
  root: LibraryRoot,
  options: LibraryScanOptions,
): (context: ScanContext) => Promise<ScannedLibrary> {
  const { dir: given, locate, prefix } = root;
  const origin = root.repo === undefined ? {} : { repo: root.repo };
  let place: ReturnType<typeof createPlaceScanner> | undefined;
  return async (context) => {
    const located = locate === undefined ? { dir: given } : await locate();
    if (located === undefined) return { ...NOTHING, ...origin, prefix, awaited: [given] };
    // A new version of a Git library lies elsewhere.
    if (place?.rootDir !== located.dir) place = createPlaceScanner(located, root, options);
    const { traversal, results } = await place.scan(context);
    return {
      prefix,
      ...origin,
      ...filesOf(results),
      // What is odd about folders that hold other things is reported with those.
      diagnostics: [
        ...(located.files === undefined ? traversal.diagnostics : []),
        ...results.flatMap(({ diagnostics }) => diagnostics),
      ],
      folders: traversal.folders,
      awaited: [given, ...traversal.awaited, ...results.flatMap(({ awaited }) => awaited)],
    };
  };
}

function filesOf(results: readonly LibraryResult[]) {
  const files: LibraryFile[] = [];
  const fingerprints = new Map<LibraryFile, string>();
  for (const { file, cached } of results) {
    if (file === undefined || cached === undefined) continue;
    files.push(file);
    fingerprints.set(file, fingerprintText(cached));
  }
  return { files, fingerprints };
}

const NOTHING = { files: [], fingerprints: new Map(), diagnostics: [], folders: new Set<string>() } as const;

function missing(dir: string): Diagnostic {
  const message = "This library does not exist. Its skills are picked up when it appears.";
  return { severity: "warning", code: "root-missing", file: dir, message };
}

/** A Markdown file of a library. */
function libraryHeads(strict: boolean): HeadFormat<LibraryFrontMatter> {
  return {
    parse(text, finding) {
      const parsed = parseLibrarySkill(text, { strict, finding });
      if (!parsed.ok) return { ok: false, failure: parsed.problem };
      const { frontMatter, warnings } = parsed.skill;
      const { description, keywords } = frontMatter;
      // Other values are short; these would keep the text of the whole file in memory.
      const value = {
        ...frontMatter,
        description: detached(description),
        keywords: keywords.map(detached),
      };
      return { ok: true, value, warnings };
    },
    same: (a, b) => JSON.stringify(a) === JSON.stringify(b),
  };
}

/** What one Markdown file gave: a skill or a reason why not. */
interface LibraryResult {
  readonly file?: LibraryFile;
  /** What it was made of. */
  readonly cached: CachedHead<LibraryFrontMatter> | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly awaited: readonly string[];
}

/** The library that a file belongs to, by the two paths it has. */
interface LibraryFolder {
  readonly dir: string;
  readonly realDir: string;
  readonly location: Location;
  readonly strict: boolean;
}

/** Makes a library skill from a found file; undefined when the file is gone. */
async function libraryResult(
  found: FoundFile,
  library: LibraryFolder,
  { real, cached }: FileState<LibraryFrontMatter>,
  before: LibraryResult | undefined,
): Promise<LibraryResult | undefined> {
  const shown = below(found.dir, found.fileName);
  const { awaited } = real;
  if (!real.ok) return { cached, awaited, diagnostics: [failureDiagnostic(shown, real.failure)] };
  if (cached === undefined) return undefined;
  const { head } = cached;
  const isUnchanged = before?.cached === cached && isSameTarget(before, real);
  if (!head.ok) {
    return isUnchanged ? before : { cached, awaited, diagnostics: [failureDiagnostic(shown, head.failure)] };
  }
  const diagnostics = head.warnings.map(
    (problem): Diagnostic => ({ severity: "warning", file: shown, ...problem }),
  );
  const resources = await resourcesOf(found, library, head.value);
  if (resources.diagnostic !== undefined) diagnostics.push(resources.diagnostic);
  const file: LibraryFile = {
    ...head.value,
    filePath: visibleLine(path.relative(library.dir, shown).split(path.sep).join("/")),
    location: library.location,
    file: shown,
    realFile: real.file,
    resourceDir: resources.dir,
    root: library.realDir,
    ...(library.strict ? { strict: true } : {}),
  };
  const known = before?.cached?.head === head && isSameFile(before.file, file) ? before.file : undefined;
  const texts = (all: readonly Diagnostic[]): readonly string[] => all.map(({ message }) => message);
  const isSame = isUnchanged && sameItems(texts(before.diagnostics), texts(diagnostics));
  if (isSame && known !== undefined) return before;
  return { file: known ?? file, cached, awaited, diagnostics };
}

/** Of two files with the same head. */
function isSameFile(a: LibraryFile | undefined, b: LibraryFile): boolean {
  return (
    a?.location === b.location &&
    a.realFile === b.realFile &&
    a.resourceDir === b.resourceDir &&
    a.root === b.root
  );
}

interface Resources {
  readonly dir: string | undefined;
  readonly diagnostic?: Diagnostic;
}

const NO_RESOURCES: Resources = { dir: undefined };

/** The folder beside the file, if there is one and it lies in the library. */
async function resourcesOf(
  found: FoundFile,
  library: LibraryFolder,
  declared: LibraryFrontMatter,
): Promise<Resources> {
  if (found.companion === undefined) return NO_RESOURCES;
  const name = found.fileName.slice(0, -".md".length);
  const shown = below(found.dir, name);
  const dir = below(found.realDir, name);
  if (found.companion === "folder") {
    // A linked folder of skills may lie elsewhere; its files stay there.
    if (!isInside(library.realDir, dir)) return { dir: undefined, diagnostic: outside(shown) };
    // Folders of these two names never hold skills, so nobody expects any there.
    if (name === "_index" || name === "_root") return { dir };
    const [first, ...more] = await skillsAmongFiles(dir, declared, library.strict);
    if (first === undefined) return { dir };
    return { dir, diagnostic: hidesSkills(below(shown, first), found.fileName, more.length) };
  }
  try {
    const target = await realpath(dir);
    if (!(await stat(target)).isDirectory()) return NO_RESOURCES;
    if (isInside(library.realDir, target)) return { dir: target };
    return { dir: undefined, diagnostic: outside(shown) };
  } catch (error) {
    const message = leadsNowhere(error);
    return { dir: undefined, diagnostic: { severity: "warning", code: "broken-link", file: shown, message } };
  }
}

/** Enough to find skills where somebody put them; a folder may have any number of assets. */
const MOST_LOOKED_AT = 200;
/** What lies in them is meant as a file of the skill, whatever it contains. */
const FOR_FILES: ReadonlySet<string> = new Set(["assets", "scripts", "node_modules"]);

/** Markdown in the resource folder of a skill that would be skills elsewhere, and that the skill does not declare as its files. */
async function skillsAmongFiles(
  dir: string,
  { assets, scripts }: LibraryFrontMatter,
  strict: boolean,
): Promise<readonly string[]> {
  const declared = new Set([...assets, ...scripts].map(({ file }) => file));
  const format = libraryHeads(strict);
  const found: string[] = [];
  const folders = [""];
  let left = MOST_LOOKED_AT;
  for (const folder of folders) {
    const entries = await firstEntries(path.join(dir, folder), left);
    left -= entries.length;
    for (const entry of entries) {
      const file = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.startsWith(".")) continue;
      if (entry.isDirectory() && !FOR_FILES.has(entry.name)) folders.push(file);
      if (!entry.isFile() || !LIBRARY.isSkillFile(entry.name) || declared.has(file)) continue;
      const read = await readHead(path.join(dir, file), format).catch(() => undefined);
      if (read?.head.ok === true) found.push(file);
    }
  }
  return found;
}

/** In the order of their names; none of a folder that cannot be listed. */
async function firstEntries(dir: string, most: number): Promise<readonly Dirent[]> {
  const entries: Dirent[] = [];
  if (most === 0) return entries;
  try {
    for await (const entry of await opendir(dir)) {
      entries.push(entry);
      if (entries.length === most) break;
    }
  } catch {
    // What cannot be listed hides nothing that could be served.
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The one mistake that makes a whole folder of skills vanish. */
function hidesSkills(file: string, fileName: string, others: number): Diagnostic {
  const folder = `${fileName.slice(0, -".md".length)}/`;
  const what =
    others === 0
      ? "this file is not served as a skill"
      : `this file and ${others} more in it are not served as skills`;
  const message = `${fileName} lies beside ${folder}, which makes that the folder of its assets and scripts, so ${what}. Move ${fileName} to ${folder}_index.md, or rename it.`;
  return { severity: "warning", code: "hidden-skills", file, message };
}

function outside(file: string): Diagnostic {
  const message =
    "It lies outside the library, so its assets and scripts are not served. Move it into the library.";
  return { severity: "warning", code: "outside-library", file, message };
}
