import type { Diagnostic } from "../skill/diagnostic.ts";
import { pluginId, type Skill } from "../skill/skill.ts";
import { chooseFiles } from "./choose-files.ts";
import { createFileCache, type FileCache } from "./file-cache.ts";
import { describeError, errorCode, stat } from "./file-system.ts";
import { type PluginOptions, readPluginRoots } from "./plugins.ts";
import { type Reading, readFound } from "./read-found.ts";
import type { Root } from "./roots.ts";
import { type FoundFile, type Walk, walkRoot } from "./walk.ts";
import { runQueue } from "./work-queue.ts";

export interface ScanOptions {
  readonly roots: readonly Root[];
  /** Absent when plugins are not served. */
  readonly plugins?: PluginOptions;
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
  /** Real folders to watch, and files and folders elsewhere whose coming, change or going matters. */
  readonly folders: ReadonlySet<string>;
  readonly awaited: readonly string[];
}

/** Told of each real folder just before it is read. */
type OnFolder = (realDir: string) => void;

/** Looks at the disk. */
export type Scan = (onFolder?: OnFolder) => Promise<ScanResult>;

const FILES_AT_ONCE = 16;

/** Returns a function that looks at the disk. It remembers what it read, so a second look reads only changes. */
export function createScanner(options: ScanOptions): Scan {
  const cache = createFileCache(options.strict, options.now);
  return async (onFolder) => {
    const plugins = options.plugins === undefined ? NO_PLUGINS : await readPluginRoots(options.plugins);
    const roots = [...options.roots, ...plugins.roots];
    const walks = await Promise.all(roots.map((root) => tryWalk(root, onFolder)));
    const found = await Promise.all(
      walks.map((walk, index) => readRoot(roots[index] as Root, walk.files, cache)),
    );
    cache.nextScan();
    const pluginFiles =
      options.plugins === undefined ? [] : [options.plugins.file, options.plugins.settingsFile];
    return {
      enabled: found.flatMap((root) => root.enabled),
      disabled: found.flatMap((root) => root.disabled),
      diagnostics: [
        ...plugins.diagnostics,
        ...walks.flatMap((walk) => walk.diagnostics),
        ...found.flatMap((root) => root.diagnostics),
      ],
      revisions: new Map(found.flatMap((root) => root.revisions)),
      folders: new Set(walks.flatMap((walk) => [...walk.folders])),
      awaited: [
        // A root that is there may be a link that is turned, or lie in a folder that is renamed.
        ...roots.map((root) => root.dir),
        ...walks.flatMap((walk) => walk.awaited),
        ...found.flatMap((root) => root.awaited),
        ...pluginFiles,
      ],
    };
  };
}

const NO_PLUGINS = { roots: [], diagnostics: [] } as const;

/** A root that is missing, a file, or closed to us says so and leaves the others alone. */
async function tryWalk(root: Root, onFolder: OnFolder | undefined): Promise<Walk> {
  const none = { files: [], folders: new Set<string>(), awaited: [] };
  try {
    const stats = await stat(root.dir);
    if (stats.isDirectory()) return await walkRoot(root.dir, onFolder);
    const message = "It is not a folder, so no skills can be found in it.";
    const notAFolder: Diagnostic = { severity: "error", code: "root-not-a-folder", file: root.dir, message };
    return { ...none, diagnostics: [notAFolder] };
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") {
      return { ...none, diagnostics: root.named ? [missingRoot(root)] : [] };
    }
    const message = `This folder cannot be read: ${describeError(error)}.`;
    const unreadable: Diagnostic = { severity: "error", code: "unreadable", file: root.dir, message };
    return { ...none, diagnostics: [unreadable] };
  }
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

async function readRoot(root: Root, files: readonly FoundFile[], cache: FileCache): Promise<RootSkills> {
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
