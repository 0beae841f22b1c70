import path from "node:path";
import type { PluginFolder, PluginLayout } from "#agents";
import { type Disk, describeError, errorCode } from "#util";
import type { Diagnostic } from "../skill/diagnostic.ts";
import { loadableName } from "../skill/names.ts";
import type { Plugin } from "../skill/skill.ts";
import { readDisabling } from "./plugin-disabling.ts";
import { type Manifest, readLink, readManifest } from "./plugin-manifest.ts";
import type { PluginOff } from "./plugins.ts";
import type { Root } from "./roots.ts";

/** What folders of plugins hold, and every place that decided it. */
export interface FoundPlugins {
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

/** The same while it is being collected. */
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
interface Installed {
  readonly dir: string;
  readonly marketplace?: string;
  readonly name?: string;
}

interface Listing extends PluginContext {
  readonly layout: PluginLayout;
  readonly found: Collected;
}

async function installedBelow(
  dir: string,
  [level, ...deeper]: PluginLayout["levels"],
  above: Omit<Installed, "dir">,
  listing: Listing,
): Promise<readonly Installed[]> {
  if (level === undefined) return [{ dir, ...above }];
  const names = await foldersIn(dir, listing);
  if (level === "version") {
    const version = listing.layout.activeVersion?.(names);
    return version === undefined ? [] : [{ dir: path.join(dir, version), ...above }];
  }
  const found: Installed[] = [];
  for (const name of names) {
    const named = level === "marketplace" ? { ...above, marketplace: name } : { ...above, name };
    found.push(...(await installedBelow(path.join(dir, name), deeper, named, listing)));
  }
  return found;
}

/** The folders in a folder, by name. Hidden ones are an agent's own business. */
async function foldersIn(dir: string, { disk, onFolder, found }: Listing): Promise<readonly string[]> {
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
  installed: Installed,
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
  { name: folder = "", marketplace }: Installed,
  layout: PluginLayout,
  manifest: Manifest,
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
