import path from "node:path";
import type { Diagnostic, Plugin } from "#skills";
import { loadableName, parseManifest, readJson } from "#skills";
import { isRecord } from "#util/pure";
import { type MarketPlugin, parseMarketplace } from "./marketplace.ts";
import { below, type RepoTree } from "./repo-tree.ts";

/** A plugin inside a repository. */
export interface RepoPlugin {
  readonly plugin: Plugin;
  /** Its folder, relative to the repository. */
  readonly dir: string;
  /** The folders of its skills, where its marketplace lists them; else every skill below its folder is one of them. */
  readonly listed?: readonly string[];
}

export interface RepoPlugins {
  readonly plugins: readonly RepoPlugin[];
  readonly diagnostics: readonly Diagnostic[];
}

// Sources: "Create and distribute a plugin marketplace" of Claude Code; core-plugins/src/marketplace.rs of openai/codex.
export const MARKETPLACES = [".claude-plugin/marketplace.json", ".agents/plugins/marketplace.json"] as const;
/** Manifests in a folder of their own, which makes the folder above it a plugin. */
const MANIFEST_FOLDERS = [".claude-plugin", ".codex-plugin"] as const;

/** Finds the plugins of a repository: those of its marketplaces first, then every folder with a manifest. */
export async function findRepoPlugins(tree: RepoTree): Promise<RepoPlugins> {
  const diagnostics: Diagnostic[] = [];
  const plugins: RepoPlugin[] = [];
  const hasWhole = (dir: string): boolean =>
    plugins.some((known) => known.dir === dir && known.listed === undefined);
  for (const name of MARKETPLACES) {
    const found = await readMarketplace(tree, below(tree.base, name));
    diagnostics.push(...found.diagnostics);
    for (const plugin of found.plugins) {
      if (plugin.listed !== undefined || !hasWhole(plugin.dir)) plugins.push(plugin);
    }
  }
  for (const file of manifestsIn(tree)) {
    const dir = pluginFolder(file);
    if (hasWhole(dir)) continue;
    const { plugin, diagnostic } = await readPlugin(tree, file);
    if (diagnostic !== undefined) diagnostics.push(diagnostic);
    if (plugin !== undefined) plugins.push({ plugin, dir });
  }
  return { plugins, diagnostics };
}

async function readMarketplace(tree: RepoTree, file: string): Promise<RepoPlugins> {
  if (!tree.files.has(file)) return { plugins: [], diagnostics: [] };
  const shown = path.join(tree.folder, file);
  const { value, diagnostics } = await readJson(shown, "plugin-entry");
  if (diagnostics.length > 0) return { plugins: [], diagnostics };
  const report = (message: string): Diagnostic => ({
    severity: "warning",
    code: "plugin-entry",
    file: shown,
    message,
  });
  const marketplace = parseMarketplace(value);
  if (marketplace === undefined)
    return { plugins: [], diagnostics: [report('It has no "plugins" list, so it is ignored.')] };
  const plugins: RepoPlugin[] = [];
  const problems = marketplace.problems.map(report);
  for (const entry of marketplace.plugins) {
    const found = locate(entry, tree, marketplace.name);
    if (typeof found === "string") problems.push(report(found));
    else if (found !== undefined) plugins.push(found);
  }
  return { plugins, diagnostics: problems };
}

/** Undefined: a plugin of another repository. Text: what is wrong with it. */
function locate(
  { name, source, skills }: MarketPlugin,
  tree: RepoTree,
  marketplace: string,
): RepoPlugin | string | undefined {
  if (source.kind === "elsewhere" || source.kind === "unknown") return undefined;
  const folderOf = (inside: string): string => (inside === "" ? tree.base : below(tree.base, inside));
  const dir = folderOf(source.path);
  if (source.kind === "outside" || !tree.hasFolder(dir))
    return `The plugin '${name}' lies in '${source.path}', which is no folder of the repository. It is ignored.`;
  const plugin = marketplace === "" ? { name } : { name, marketplace };
  if (skills === undefined) return { plugin, dir };
  return { plugin, dir, listed: skills.map(folderOf).filter((folder) => tree.hasFolder(folder)) };
}

function manifestsIn({ files, base }: RepoTree): readonly string[] {
  return [...files]
    .filter((file) => path.posix.basename(file) === "plugin.json" && isIn(base, pluginFolder(file)))
    .sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
}

const isIn = (base: string, dir: string): boolean =>
  base === "" || dir === base || dir.startsWith(`${base}/`);

const depthOf = (file: string): number => pluginFolder(file).split("/").filter(Boolean).length;

const hasOwnFolder = (file: string): boolean =>
  MANIFEST_FOLDERS.some((name) => path.posix.basename(path.posix.dirname(file)) === name);

function pluginFolder(file: string): string {
  const dir = path.posix.dirname(file);
  const folder = hasOwnFolder(file) ? path.posix.dirname(dir) : dir;
  return folder === "." ? "" : folder;
}

async function readPlugin(
  tree: RepoTree,
  file: string,
): Promise<{ readonly plugin?: Plugin; readonly diagnostic?: Diagnostic }> {
  const shown = path.join(tree.folder, file);
  const { value, diagnostics } = await readJson(shown, "plugin-entry");
  const isOwn = hasOwnFolder(file);
  // Other tools have a plugin.json of their own: without the schema of Agent Plugins it is none of ours.
  if (!isOwn && parseManifest(value, { needsManifest: true }).problem !== undefined) return {};
  const [diagnostic] = diagnostics;
  if (diagnostic !== undefined) return { diagnostic };
  const name = isRecord(value) && typeof value["name"] === "string" ? loadableName(value["name"]) : "";
  if (name !== "") return { plugin: { name } };
  const message = "The plugin has no name that can be typed, so its skills are served without one.";
  return { diagnostic: { severity: "warning", code: "plugin-entry", file: shown, message } };
}
