import { lstat, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { planPluginFolders, userFolder } from "#agents";
import {
  installedPluginRoots,
  type Places,
  type Plugin,
  pluginId,
  type Root,
  readJson,
  SKILL_FOLDERS,
  traverseRoot,
} from "#skills";
import { isInside } from "#util";
import { isHidden, isRecord } from "#util/pure";
import { parseMarketplace } from "./repos/marketplace.ts";
import { MARKETPLACES } from "./repos/repo-plugins.ts";

/** An installed plugin whose skills are not those of the marketplace on this machine that it was copied from. */
export interface StalePlugin {
  readonly plugin: string;
  readonly provider: string;
  /** The copy that the agent loads, and the plugin in the marketplace. */
  readonly dir: string;
  readonly marketplace: string;
  /** Skills by the names of their folders: those that differ, those that only the marketplace has, those that it has no more. */
  readonly differs: readonly string[];
  readonly isNew: readonly string[];
  readonly isGone: readonly string[];
  /** All of it as one sentence for people. */
  readonly message: string;
}

/** More of a plugin are not compared. */
const MOST_FILES = 2_000;
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Compares installed plugins with the marketplaces that their agents keep on this machine, and contacts nobody. Agents compare the
 * version that a plugin names, which few authors raise, so a copy stays as it is while the marketplace beside it is updated.
 */
export async function stalePlugins(places: Places): Promise<readonly StalePlugin[]> {
  const folders = new Map<string, PluginCopy>();
  for (const root of await installedPluginRoots(places)) {
    const copy = copyOf(root, places);
    if (copy !== undefined && !folders.has(copy.dir)) folders.set(copy.dir, copy);
  }
  const compared = await Promise.all([...folders.values()].map((copy) => compare(copy, places)));
  return compared.flatMap((each) => each ?? []);
}

interface PluginCopy {
  readonly plugin: Plugin;
  readonly provider: string;
  readonly dir: string;
}

/** The folder of the plugin that a root of skills is in. */
function copyOf({ dir, provider, plugin }: Root, { cwd, home, moved }: Places): PluginCopy | undefined {
  if (plugin === undefined) return undefined;
  // Of Claude Code's plugins the whole folder is searched.
  if (provider === "claude") return { plugin, provider, dir };
  const folder = planPluginFolders({ cwd, projects: [], home, moved }).find(
    (each) => each.provider === provider && isInside(each.dir, dir),
  );
  if (folder === undefined) return undefined;
  const levels = folder.layout.levels.length;
  const below = path.relative(folder.dir, dir).split(path.sep).slice(0, levels);
  return { plugin, provider, dir: path.join(folder.dir, ...below) };
}

/** Where a plugin was copied from; `only` are the folders of its skills where its marketplace lists them. */
interface Original {
  readonly dir: string;
  readonly only?: readonly string[];
}

async function originalOf(copy: PluginCopy, places: Places): Promise<Original | undefined> {
  const { plugin, provider, dir } = copy;
  const layout = planPluginFolders({ ...places, projects: [] }).find(
    (each) => each.provider === provider,
  )?.layout;
  if (layout?.linkFile !== undefined) {
    const { value } = await readJson(path.join(dir, layout.linkFile), "plugin-entry");
    const source = isRecord(value) && value["type"] === "local" ? value["source"] : undefined;
    return typeof source === "string" && path.isAbsolute(source) ? { dir: source } : undefined;
  }
  const { marketplace } = plugin;
  // It is the name of a folder.
  if (marketplace === undefined || !/^[\w.-]+$/.test(marketplace) || /^\.+$/.test(marketplace))
    return undefined;
  const clone =
    provider === "claude"
      ? await claudeMarketplace(marketplace, places)
      : layout?.marketplaces &&
        path.join(userFolder(layout.marketplaces, places.home, places.moved), marketplace);
  return clone === undefined ? undefined : pluginIn(clone, plugin.name);
}

/** Claude Code lists its marketplaces beside its plugins. */
async function claudeMarketplace(name: string, { home, moved }: Places): Promise<string> {
  const folder = userFolder(".claude/plugins", home, moved);
  const { value } = await readJson(path.join(folder, "known_marketplaces.json"), "plugins-file");
  const known = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  const place = isRecord(known) ? known["installLocation"] : undefined;
  return typeof place === "string" && path.isAbsolute(place)
    ? place
    : path.join(folder, "marketplaces", name);
}

async function pluginIn(clone: string, name: string): Promise<Original | undefined> {
  for (const file of MARKETPLACES) {
    const { value } = await readJson(path.join(clone, file), "plugin-entry");
    const entry = parseMarketplace(value)?.plugins.find((plugin) => plugin.name === name);
    if (entry?.source.kind !== "inside") continue;
    const dir = path.join(clone, entry.source.path);
    const only = entry.skills?.map((folder) => path.relative(dir, path.join(clone, folder)));
    return only === undefined ? { dir } : { dir, only };
  }
  return undefined;
}

async function compare(copy: PluginCopy, places: Places): Promise<StalePlugin | undefined> {
  const original = await originalOf(copy, places);
  if (original === undefined || original.dir === copy.dir) return undefined;
  const [theirs, ours] = await Promise.all([skillsIn(original.dir, original), skillsIn(copy.dir, original)]);
  // A clone that is broken or gone says nothing about its copies.
  if (theirs.size === 0) return undefined;
  const left = { files: MOST_FILES, bytes: MOST_BYTES };
  const differs: string[] = [];
  for (const [folder, name] of theirs) {
    if (!ours.has(folder)) continue;
    const [from, to] = [path.join(original.dir, folder), path.join(copy.dir, folder)];
    if (!(await hasAll(from, to, left).catch(() => true))) differs.push(name);
  }
  const isNew = [...theirs].filter(([folder]) => !ours.has(folder)).map(([, name]) => name);
  const isGone = [...ours].filter(([folder]) => !theirs.has(folder)).map(([, name]) => name);
  if (differs.length + isNew.length + isGone.length === 0) return undefined;
  const id = pluginId(copy.plugin);
  const found = { differs, isNew, isGone };
  const message = `Plugin ${id}: the installed copy differs from its marketplace (${partsOf(found).join("; ")}). Install the plugin again: agents compare only its version. The marketplace has it in ${original.dir}.`;
  return { plugin: id, provider: copy.provider, dir: copy.dir, marketplace: original.dir, ...found, message };
}

function partsOf({ differs, isNew, isGone }: Pick<StalePlugin, "differs" | "isNew" | "isGone">) {
  return [
    ["changed", differs],
    ["new", isNew],
    ["removed", isGone],
  ].flatMap(([what, names]) =>
    names?.length === 0 ? [] : [`${what as string}: ${named(names as string[])}`],
  );
}

const MOST_NAMED = 5;

function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The folders of skills in a plugin, relative to it, with their names. */
async function skillsIn(dir: string, { only }: Original): Promise<ReadonlyMap<string, string>> {
  const found = await traverseRoot(dir, SKILL_FOLDERS).catch(() => undefined);
  const folders = (found?.files ?? []).map((file) => path.relative(dir, file.dir));
  return new Map(
    folders
      .filter(
        (folder) =>
          !isHidden(folder.split(path.sep).join("/")) &&
          (only?.some((one) => isInside(path.join(dir, one), path.join(dir, folder))) ?? true),
      )
      .map((folder) => [folder, path.basename(folder) || path.basename(dir)]),
  );
}

/**
 * Whether a skill's copy has every file of the original as it is there. What else the copy has, scripts may have written. Links are
 * not followed, and a skill in a skill is compared by itself.
 */
async function hasAll(from: string, to: string, left: { files: number; bytes: number }): Promise<boolean> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [file, copied] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) {
      if (entry.name === "node_modules" || entry.name === ".git") continue;
      if (!(await hasAll(file, copied, left))) return false;
    }
    if (!entry.isFile()) continue;
    const [one, other] = [await lstat(file), await lstat(await placeOf(copied)).catch(() => undefined)];
    if (other?.isFile() !== true || one.size !== other.size) return false;
    left.files--;
    left.bytes -= one.size;
    if (left.files < 0 || left.bytes < 0) return true;
    if (!(await readFile(file)).equals(await readFile(await placeOf(copied)))) return false;
  }
  return true;
}

/** `disable` renames `SKILL.md` to `.SKILL.md`. */
async function placeOf(file: string): Promise<string> {
  if (path.basename(file) !== "SKILL.md") return file;
  const exists = await lstat(file).then(
    () => true,
    () => false,
  );
  return exists ? file : path.join(path.dirname(file), ".SKILL.md");
}
