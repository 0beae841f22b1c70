import type { Diagnostic } from "../skill/diagnostic.ts";
import { pluginId, type Skill } from "../skill/skill.ts";
import { chooseFiles } from "./choose-files.ts";
import { createFileCache, type FileCache } from "./file-cache.ts";
import { SKILL_FOLDERS } from "./layouts.ts";
import { type PluginOptions, readPluginRoots } from "./plugins.ts";
import { type Reading, readFound } from "./read-found.ts";
import { type SkillHead, skillHeads } from "./read-skill-file.ts";
import type { Root } from "./roots.ts";
import { createLibraryScanner, type LibraryRoot, type ScannedLibrary } from "./scan-library.ts";
import { tryWalk } from "./try-walk.ts";
import type { FoundFile } from "./walk.ts";
import { runQueue } from "./work-queue.ts";

export interface ScanOptions {
  /** A function is asked again at every look. */
  readonly roots: readonly Root[] | (() => readonly Root[]);
  /** Absent when plugins are not served. */
  readonly plugins?: PluginOptions;
  /** Folders of keyword-routed Markdown. */
  readonly libraries?: readonly LibraryRoot[];
  /** Skip what could only be recovered. */
  readonly strict: boolean;
  readonly now: () => number;
}

/** What one look at the disk showed, in order of priority. */
export interface ScanResult {
  readonly enabled: readonly Skill[];
  readonly disabled: readonly Skill[];
  readonly diagnostics: readonly Diagnostic[];
  /** What each enabled skill's file was like: another value means that its body may differ. */
  readonly revisions: ReadonlyMap<Skill, string>;
  /** Another value means that a file came to a skill's folder, or went from it. */
  readonly listing: number;
  readonly libraries: readonly ScannedLibrary[];
  /** Real folders to watch, and files and folders elsewhere whose coming, change or going matters. */
  readonly folders: ReadonlySet<string>;
  readonly awaited: readonly string[];
}

/** Told of each real folder just before it is read. */
type OnFolder = (realDir: string) => void;

/** Looks at the disk. */
export type Scan = (onFolder?: OnFolder) => Promise<ScanResult>;

type SkillCache = FileCache<SkillHead, Skill>;

const FILES_AT_ONCE = 16;

/** Returns a function that looks at the disk. It remembers what it read, so a second look reads only changes. */
export function createScanner(options: ScanOptions): Scan {
  const cache: SkillCache = createFileCache(skillHeads(options.strict), options.now);
  const scanLibraries = createLibraryScanner(options);
  return async (onFolder) => {
    const plugins = options.plugins === undefined ? NO_PLUGINS : await readPluginRoots(options.plugins);
    const planned = typeof options.roots === "function" ? options.roots() : options.roots;
    const roots = [...planned, ...plugins.roots];
    const walkOne = (root: Root) => tryWalk(root.dir, SKILL_FOLDERS, missingRootOf(root), onFolder);
    const walks = await Promise.all(roots.map(walkOne));
    const found = await Promise.all(
      walks.map((walk, index) => readRoot(roots[index] as Root, walk.files, cache)),
    );
    cache.nextScan();
    const libraries = await scanLibraries(onFolder);
    const pluginFiles =
      options.plugins === undefined ? [] : [options.plugins.file, options.plugins.settingsFile];
    return {
      enabled: found.flatMap((root) => root.enabled),
      disabled: found.flatMap((root) => root.disabled),
      diagnostics: [
        ...plugins.diagnostics,
        ...walks.flatMap((walk) => walk.diagnostics),
        ...found.flatMap((root) => root.diagnostics),
        ...libraries.flatMap((library) => library.diagnostics),
      ],
      revisions: new Map(found.flatMap((root) => root.revisions)),
      listing: walks.reduce((sum, walk) => (sum + walk.listing) | 0, 0),
      libraries,
      folders: new Set([...walks, ...libraries].flatMap((walk) => [...walk.folders])),
      awaited: [
        // A root that is there may be a link that is turned, or lie in a folder that is renamed.
        ...roots.map((root) => root.dir),
        ...walks.flatMap((walk) => walk.awaited),
        ...found.flatMap((root) => root.awaited),
        ...libraries.flatMap((library) => library.awaited),
        ...pluginFiles,
      ],
    };
  };
}

const NO_PLUGINS = { roots: [], diagnostics: [] } as const;

/** What to say of a folder that does not exist: for most of those we look for, nothing. */
function missingRootOf(root: Root): readonly Diagnostic[] {
  return root.named ? [missingRoot(root)] : [];
}

function missingRoot(root: Root): Diagnostic {
  const message =
    root.plugin === undefined
      ? "This folder does not exist. Its skills are picked up when it appears."
      : `The plugin '${pluginId(root.plugin)}' is installed here according to installed_plugins.json, but the folder does not exist.`;
  return { severity: "warning", code: "root-missing", file: root.dir, message };
}

interface RootSkills {
  readonly enabled: Skill[];
  readonly disabled: Skill[];
  readonly diagnostics: Diagnostic[];
  readonly revisions: (readonly [Skill, string])[];
  /** Where linked files lead: outside the folders that are watched. */
  readonly awaited: string[];
}

async function readRoot(root: Root, files: readonly FoundFile[], cache: SkillCache): Promise<RootSkills> {
  const { chosen, diagnostics } = chooseFiles(files);
  const read: (Reading | undefined)[] = Array.from({ length: chosen.length });
  await runQueue(chosen.keys(), FILES_AT_ONCE, async (index) => {
    read[index] = await readFound(chosen[index] as FoundFile, root, cache);
  });
  const skills: RootSkills = { enabled: [], disabled: [], diagnostics, revisions: [], awaited: [] };
  for (const reading of read) {
    if (reading === undefined) continue;
    diagnostics.push(...reading.diagnostics);
    skills.awaited.push(...reading.awaited);
    const { skill, revision = "", disabled } = reading;
    if (skill === undefined) continue;
    (disabled ? skills.disabled : skills.enabled).push(skill);
    if (!disabled) skills.revisions.push([skill, revision]);
  }
  return skills;
}
