import path from "node:path";
import type { PluginFolder } from "#agents";
import { type Disk, describeError, errorCode, isInside } from "#util";
import { isRecord } from "#util/pure";
import type { Diagnostic } from "../skill/diagnostic.ts";
import { loadableName, type Plugin } from "../skill/skill.ts";
import { type PluginOff, readDisabling, readJson } from "./plugins.ts";
import type { Root } from "./roots.ts";

/** What folders of plugins hold, and every place that decided it. */
interface FoundPlugins {
  readonly roots: readonly Root[];
  readonly off: readonly PluginOff[];
  readonly diagnostics: readonly Diagnostic[];
  /** The folders in which a plugin may appear or go. */
  readonly folders: readonly string[];
  /** Files whose appearance, change or removal matters, and folders that do not exist yet. */
  readonly awaited: readonly string[];
}

interface PluginContext {
  readonly disk: Disk;
  /** Called with each folder just before it is listed. */
  readonly onFolder?: ((dir: string) => void) | undefined;
}

/** Finds the plugins below some folders. A broken plugin is one diagnostic, and the others stay. */
export async function findPlugins(
  folders: readonly PluginFolder[],
  context: PluginContext,
): Promise<FoundPlugins> {
  const found = await Promise.all(folders.map((folder) => findIn(folder, context)));
  return {
    roots: found.flatMap(({ roots }) => roots),
    off: found.flatMap(({ off }) => off),
    diagnostics: found.flatMap(({ diagnostics }) => diagnostics),
    folders: found.flatMap((each) => each.folders),
    awaited: found.flatMap(({ awaited }) => awaited),
  };
}

/** `FoundPlugins` while they are being collected. */
interface Collected {
  readonly roots: Root[];
  readonly off: PluginOff[];
  readonly diagnostics: Diagnostic[];
  readonly folders: string[];
  readonly awaited: string[];
}

async function findIn(folder: PluginFolder, context: PluginContext): Promise<FoundPlugins> {
  const { provider, layout, dir, settings } = folder;
  const found: Collected = { roots: [], off: [], diagnostics: [], folders: [], awaited: [] };
  const installed = await installedBelow(dir, layout.levels, {}, { ...context, layout, found });
  if (installed.length === 0) return found;
  const disabling = await readDisabling(folder);
  found.diagnostics.push(...disabling.diagnostics);
  if (settings !== undefined) found.awaited.push(settings.file);
  for (const each of installed) {
    const plugin = await readPlugin(each, folder, context.disk, found);
    if (plugin === undefined) continue;
    const off = disabling.isOff(plugin.plugin);
    if (off === undefined) found.roots.push(...plugin.roots);
    else found.off.push({ plugin: plugin.plugin, provider, ...off });
  }
  return found;
}

/** A folder that should be a plugin, with what the folders on the way to it are called. */
interface InstalledPlugin {
  readonly dir: string;
  readonly marketplace?: string;
  readonly name?: string;
}

interface PluginListing extends PluginContext {
  readonly layout: PluginFolder["layout"];
  readonly found: Collected;
}

async function installedBelow(
  dir: string,
  [level, ...deeper]: PluginFolder["layout"]["levels"],
  above: Omit<InstalledPlugin, "dir">,
  listing: PluginListing,
): Promise<readonly InstalledPlugin[]> {
  if (level === undefined) return [{ dir, ...above }];
  const names = await foldersIn(dir, listing);
  if (level === "version") {
    const version = listing.layout.activeVersion?.(names);
    return version === undefined ? [] : [{ dir: path.join(dir, version), ...above }];
  }
  const found: InstalledPlugin[] = [];
  for (const name of names) {
    const named = level === "marketplace" ? { ...above, marketplace: name } : { ...above, name };
    found.push(...(await installedBelow(path.join(dir, name), deeper, named, listing)));
  }
  return found;
}

/** Lists subfolders sorted by name, without those that start with a dot (internal to the agent). */
async function foldersIn(dir: string, { disk, onFolder, found }: PluginListing): Promise<readonly string[]> {
  onFolder?.(dir);
  const entries = await disk.list(dir);
  if ("failure" in entries) {
    found.awaited.push(dir);
    const code = errorCode(entries.failure);
    if (code !== "ENOENT" && code !== "ENOTDIR") {
      found.diagnostics.push(broken(dir, `This folder cannot be read: ${describeError(entries.failure)}.`));
    }
    return [];
  }
  found.folders.push(dir);
  const names: string[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith(".")) continue;
    const isFolder =
      entry.isDirectory() ||
      (entry.isSymbolicLink() && (await leadsToFolder(path.join(dir, entry.name), disk)));
    if (isFolder) names.push(entry.name);
  }
  return names.sort();
}

async function leadsToFolder(file: string, disk: Disk): Promise<boolean> {
  try {
    return (await disk.stat(file))?.isDirectory() === true;
  } catch {
    // A broken link, or a loop of links.
    return false;
  }
}

interface ReadPlugin {
  readonly plugin: Plugin;
  readonly roots: readonly Root[];
}

async function readPlugin(
  installed: InstalledPlugin,
  { provider, layout }: PluginFolder,
  disk: Disk,
  { diagnostics, awaited }: Collected,
): Promise<ReadPlugin | undefined> {
  const dir = await readLink(installed.dir, layout);
  const manifest = await readManifest(dir, layout);
  awaited.push(manifest.file);
  if (manifest.problem !== undefined) {
    diagnostics.push(broken(manifest.file, manifest.problem));
    return undefined;
  }
  if (manifest.missing && !(await leadsToFolder(path.join(dir, "skills"), disk))) {
    const message = `This is no plugin, because it has neither ${layout.manifests[0]} nor a skills folder. Remove it, or install the plugin again.`;
    diagnostics.push(broken(dir, message));
    return undefined;
  }
  const plugin = pluginOf(installed, layout, manifest);
  if (plugin === undefined) {
    diagnostics.push(broken(manifest.file, "The plugin has no name that can be typed, so it is not served."));
    return undefined;
  }
  const roots = manifest.skills.map(
    (folder): Root => ({
      dir: path.join(dir, folder),
      provider,
      location: "plugin",
      plugin,
      named: false,
    }),
  );
  return { plugin, roots };
}

function pluginOf(
  { name: folder = "", marketplace }: InstalledPlugin,
  layout: PluginFolder["layout"],
  manifest: PluginManifest,
): Plugin | undefined {
  const isDirect = marketplace !== undefined && marketplace === layout.noMarketplace;
  const given = layout.namedByManifest === true || isDirect ? (manifest.name ?? folder) : folder;
  const name = loadableName(given) || loadableName(folder);
  if (name === "") return undefined;
  return marketplace === undefined || isDirect ? { name } : { name, marketplace };
}

function broken(file: string, message: string): Diagnostic {
  return { severity: "error", code: "plugin-entry", file, message };
}

/** What a plugin says of itself. */
interface PluginManifest {
  /** The file that was read, or the first one that is missing. */
  readonly file: string;
  readonly missing: boolean;
  readonly name?: string;
  /** Folders of skills, relative to the plugin. */
  readonly skills: readonly string[];
  /** Why the plugin cannot be served: a whole sentence. */
  readonly problem?: string;
}

const SKILLS: readonly string[] = ["skills"];

async function readManifest(dir: string, layout: PluginFolder["layout"]): Promise<PluginManifest> {
  for (const candidate of layout.manifests) {
    const file = path.join(dir, candidate);
    const { value, missing, diagnostics } = await readJson(file, "plugin-entry");
    if (missing) continue;
    const problem = diagnostics[0]?.message;
    return problem === undefined
      ? { file, ...parseManifest(value, layout) }
      : { file, missing: false, skills: SKILLS, problem };
  }
  const file = path.join(dir, layout.manifests[0] ?? "");
  if (layout.needsManifest !== true) return { file, missing: true, skills: SKILLS };
  const problem = "It does not exist, so this folder is no plugin and its skills are not served.";
  return { file, missing: true, skills: SKILLS, problem };
}

/** Reads `{name, skills?: folder | folder[]}`; everything else is for others. */
export function parseManifest(
  value: unknown,
  layout: Pick<PluginFolder["layout"], "needsManifest" | "namesFolders">,
): Omit<PluginManifest, "file"> {
  const refused = (problem: string) => ({ missing: false, skills: SKILLS, problem });
  if (!isRecord(value)) return refused("It is not a JSON object, so the plugin is not served.");
  const { name, skills, $schema } = value;
  if (layout.needsManifest === true) {
    const problem = agentPluginProblem($schema, name);
    if (problem !== undefined) return refused(problem);
  }
  const named = typeof name === "string" && name.trim() !== "" ? { name: name.trim() } : {};
  if (layout.namesFolders !== true || skills === undefined)
    return { missing: false, skills: SKILLS, ...named };
  const folders = (Array.isArray(skills) ? skills : [skills]) as readonly unknown[];
  const usable = folders.filter((folder) => typeof folder === "string").filter(staysInside);
  if (usable.length < folders.length)
    return refused("`skills` must be a folder in the plugin, or a list of them. The plugin is not served.");
  return { missing: false, skills: usable, ...named };
}

const ANYWHERE = path.resolve("/plugin");

function staysInside(folder: string): boolean {
  return folder !== "" && !folder.includes("\0") && isInside(ANYWHERE, path.resolve(ANYWHERE, folder));
}

const SCHEMA = /^https:\/\/agent-plugins\.org\/schemas\/1\.\d+\.\d+\/plugin\.schema\.json$/;
const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,62}[a-z0-9])?$/;

/** The two fields that every Agent Plugins 1.x manifest has. */
function agentPluginProblem(schema: unknown, name: unknown): string | undefined {
  if (typeof schema !== "string" || !SCHEMA.test(schema)) {
    return "Its `$schema` is not that of Agent Plugins 1.0.0 (https://agent-plugins.org/schemas/1.0.0/plugin.schema.json), so the plugin is not served.";
  }
  if (typeof name === "string" && NAME.test(name) && !/--|\.\./.test(name)) return undefined;
  return "Its `name` must have 1 to 64 characters of a-z, 0-9, `-` and `.`, begin and end with a letter or digit, and repeat neither `-` nor `.`. The plugin is not served.";
}

/** The real folder of a plugin, which a file in a linked one names. */
async function readLink(dir: string, { linkFile }: PluginFolder["layout"]): Promise<string> {
  if (linkFile === undefined) return dir;
  const { value } = await readJson(path.join(dir, linkFile), "plugin-entry");
  if (!isRecord(value) || value["type"] !== "link") return dir;
  const { source } = value;
  return typeof source === "string" && path.isAbsolute(source) && !source.includes("\0") ? source : dir;
}
