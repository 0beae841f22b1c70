import path from "node:path";
import type { Diagnostic } from "../skill/diagnostic.ts";
import { loadableName } from "../skill/names.ts";
import { pluginId, type Skill } from "../skill/skill.ts";
import { createFileCache, type FileCache } from "./file-cache.ts";
import { describeError, errorCode, realpath, stat } from "./file-system.ts";
import { type PluginOptions, readPluginRoots } from "./plugins.ts";
import { type FileFailure, type Head } from "./read-skill-file.ts";
import type { Root } from "./roots.ts";
import { type FoundFile, notAFile, type Walk, walkRoot } from "./walk.ts";
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
  /** Real folders to watch, and roots that are not there yet. */
  readonly folders: ReadonlySet<string>;
  readonly missing: readonly string[];
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
      folders: new Set(walks.flatMap((walk) => [...walk.folders])),
      missing: [...walks.flatMap((walk) => walk.missing), ...pluginFiles],
    };
  };
}

const NO_PLUGINS = { roots: [], diagnostics: [] } as const;

type TriedWalk = Walk & { readonly missing: readonly string[] };

/** A root that is missing, a file, or closed to us says so and leaves the others alone. */
async function tryWalk(root: Root, onFolder: OnFolder | undefined): Promise<TriedWalk> {
  const none = { files: [], folders: new Set<string>() };
  try {
    const stats = await stat(root.dir);
    if (stats.isDirectory()) return { ...(await walkRoot(root.dir, onFolder)), missing: [] };
    const message = "It is not a folder, so no skills can be found in it.";
    const notAFolder: Diagnostic = { severity: "error", code: "root-not-a-folder", file: root.dir, message };
    return { ...none, missing: [root.dir], diagnostics: [notAFolder] };
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") {
      return { ...none, missing: [root.dir], diagnostics: root.named ? [missingRoot(root)] : [] };
    }
    const message = `This folder cannot be read: ${describeError(error)}.`;
    const unreadable: Diagnostic = { severity: "error", code: "unreadable", file: root.dir, message };
    return { ...none, missing: [root.dir], diagnostics: [unreadable] };
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
}

async function readRoot(root: Root, files: readonly FoundFile[], cache: FileCache): Promise<RootSkills> {
  const { chosen, diagnostics } = chooseFiles(files);
  const read: (Reading | undefined)[] = Array.from({ length: chosen.length });
  await runQueue(chosen.keys(), FILES_AT_ONCE, async (index) => {
    read[index] = await readFound(chosen[index] as FoundFile, root, cache);
  });
  const skills: RootSkills = { enabled: [], disabled: [], diagnostics };
  for (const reading of read) {
    if (reading === undefined) continue;
    diagnostics.push(...reading.diagnostics);
    if (reading.skill !== undefined)
      (reading.disabled ? skills.disabled : skills.enabled).push(reading.skill);
  }
  return skills;
}

/** Of several spellings in one folder, `SKILL.md` is the one; `.SKILL.md` beside any of them is ignored. */
function chooseFiles(files: readonly FoundFile[]): { chosen: FoundFile[]; diagnostics: Diagnostic[] } {
  const byFolder = new Map<string, FoundFile[]>();
  for (const file of files) {
    const same = byFolder.get(file.dir);
    if (same === undefined) byFolder.set(file.dir, [file]);
    else same.push(file);
  }
  const chosen: FoundFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const same of byFolder.values()) {
    const [first] = same;
    const best =
      same.find((file) => file.fileName === "SKILL.md") ?? same.find((file) => !isDisabled(file)) ?? first;
    if (best === undefined) continue;
    chosen.push(best);
    if (same.length > 1) diagnostics.push(severalFiles(best, same));
  }
  return { chosen, diagnostics };
}

function severalFiles(best: FoundFile, all: readonly FoundFile[]): Diagnostic {
  const others = all.filter((file) => file !== best).map((file) => file.fileName);
  const message = `${others.join(" and ")} in the same folder ${others.length === 1 ? "is" : "are"} ignored. Keep one of them.`;
  return {
    severity: "warning",
    code: "both-enabled-and-disabled",
    file: path.join(best.dir, best.fileName),
    message,
  };
}

function isDisabled(file: FoundFile): boolean {
  return file.fileName.startsWith(".");
}

interface Reading {
  readonly skill?: Skill;
  readonly disabled: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

const NO_DIAGNOSTICS: readonly Diagnostic[] = [];

async function readFound(found: FoundFile, root: Root, cache: FileCache): Promise<Reading | undefined> {
  const shown = path.join(found.dir, found.fileName);
  const disabled = isDisabled(found);
  const real = await realFile(found);
  if (!real.ok) return { disabled, diagnostics: [failureDiagnostic(shown, real.failure)] };
  const record = await cache.head(real.file);
  if (record === undefined) return undefined;
  const { head, skills } = record;
  // A disabled skill is out of sight, and so is what is wrong with it.
  if (!head.ok) return { disabled, diagnostics: disabled ? [] : [failureDiagnostic(shown, head.failure)] };
  let skill = skills.find((known) => isSkillOf(known, found, root));
  if (skill === undefined) {
    skill = makeSkill(found, root, head, real.file);
    skills.push(skill);
  }
  return { skill, disabled, diagnostics: disabled ? NO_DIAGNOSTICS : warningsOf(shown, found, head, skill) };
}

/** The path to open: for a linked file its target, which must be a regular file. */
async function realFile(
  found: FoundFile,
): Promise<{ ok: true; file: string } | { ok: false; failure: FileFailure }> {
  const file = path.join(found.realDir, found.fileName);
  if (!found.isLink) return { ok: true, file };
  try {
    const target = await realpath(file);
    if ((await stat(target)).isFile()) return { ok: true, file: target };
    return { ok: false, failure: notAFile(file, "a link to something else") };
  } catch (error) {
    const message = `This link leads nowhere: ${describeError(error)}.`;
    return { ok: false, failure: { code: "broken-link", message } };
  }
}

function makeSkill(found: FoundFile, root: Root, head: Head & { ok: true }, realFile: string): Skill {
  return {
    name: loadableName(head.name) || loadableName(path.basename(found.dir)) || "unnamed",
    description: head.description,
    provider: root.provider,
    location: root.location,
    dir: found.dir,
    fileName: found.fileName,
    realDir: found.realDir,
    ...(root.plugin === undefined ? {} : { plugin: root.plugin }),
    ...(found.isLink ? { linkedFile: realFile } : {}),
  };
}

function isSkillOf(skill: Skill, found: FoundFile, root: Root): boolean {
  return (
    skill.dir === found.dir &&
    skill.fileName === found.fileName &&
    skill.realDir === found.realDir &&
    skill.provider === root.provider &&
    skill.location === root.location &&
    skill.plugin?.name === root.plugin?.name &&
    skill.plugin?.marketplace === root.plugin?.marketplace
  );
}

function warningsOf(
  file: string,
  found: FoundFile,
  head: Head & { ok: true },
  skill: Skill,
): readonly Diagnostic[] {
  if (head.warnings.length === 0 && found.fileName === "SKILL.md" && skill.name === head.name)
    return NO_DIAGNOSTICS;
  const warnings = head.warnings.map((problem): Diagnostic => ({ severity: "warning", file, ...problem }));
  if (found.fileName !== "SKILL.md") {
    const message = "It is served, but most agents only see it when it is called SKILL.md. Rename it.";
    warnings.push({ severity: "warning", code: "file-name-case", file, message });
  }
  if (skill.name !== head.name) {
    const message = `The name '${head.name}' cannot be typed back, so the skill is served as '${skill.name}'.`;
    warnings.push({ severity: "warning", code: "name-replaced", file, message });
  }
  return warnings;
}

function failureDiagnostic(file: string, failure: FileFailure): Diagnostic {
  const { code, message, line } = failure;
  return { severity: "error", code, file, message, ...(line === undefined ? {} : { line }) };
}
