import { mkdir, readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { expandHome, isInside } from "#util";
import { parseJson } from "#util/pure";
import { type GitAddress, parseGitAddress } from "../../address/source-address.ts";
import { type MarketPlugin, parseMarketplace } from "../../repos/marketplace.ts";
import { cannotFetch, type FetchContext, type FetchedContent, type NamedSkill } from "../fetch-context.ts";
import { type ArchivePlace, readPlace } from "../from-archive.ts";
import { copyTree } from "../from-folder.ts";
import { fetchGit } from "../git/from-git.ts";
import { createWebClient } from "../web-client.ts";

/** Where hosts look for the file in a repository. */
const USUAL_FOLDERS = /(?:^|\/)(?:\.[a-z]+-plugin|\.agents\/plugins|\.github\/plugin)$/;

/** Fetches the plugins of a marketplace that lie beside its file; those of other sources are named and left out. */
export function fetchMarketplace(
  place: ArchivePlace,
  work: string,
  context: FetchContext,
): Promise<FetchedContent> {
  return place.isRemote ? fetchRemote(place.place, work, context) : fetchLocal(place.place, work, context);
}

async function fetchLocal(place: string, work: string, context: FetchContext): Promise<FetchedContent> {
  const { cwd, home, limits } = context;
  const file = path.resolve(cwd, expandHome(place, home));
  const plugins = parsed((await readPlace(place, limits.indexBytes, context)).toString("utf8"), context);
  const inside = insidePlugins(plugins, context);
  const root = await realpath(rootOf(file));
  const tree = path.join(work, "tree");
  await mkdir(tree);
  for (const folder of outermost(inside.map(({ folder: each }) => each))) {
    const from = await folderInside(root, folder);
    if (from === undefined) {
      context.log.warn(`${file}: there is no folder '${folder}' beside it; its plugin is skipped`);
      continue;
    }
    context.progress(`copying ${from}`);
    await mkdir(path.join(tree, folder), { recursive: true });
    await copyTree(from, path.join(tree, folder), [path.dirname(work)], context);
  }
  return withListed({ folder: tree }, inside);
}

/** The file of a repository stands for the repository: nothing beside it can be listed over the web. */
async function fetchRemote(url: string, work: string, context: FetchContext): Promise<FetchedContent> {
  const found = repositoryOf(url);
  if (found !== undefined) {
    const fetched = await fetchGit(found.address, work, context);
    const text = await readFile(path.join(fetched.folder, found.file), "utf8");
    return withListed(fetched, insidePlugins(parsed(text, context), context));
  }
  context.progress(`downloading ${context.source}`);
  const request = { url, what: "The marketplace", maxBytes: context.limits.indexBytes };
  const { bytes } = await createWebClient(context).get(request);
  const plugins = parsed(bytes.toString("utf8"), context);
  insidePlugins(plugins, context);
  throw cannotFetch(
    context.source,
    "unavailable",
    `The plugins of ${context.source} lie beside it, where the web shows no folders; add its git repository instead.`,
  );
}

/** The repository of a file that GitHub or GitLab shows. */
export function repositoryOf(
  url: string,
): { readonly address: GitAddress; readonly file: string } | undefined {
  const { hostname, pathname } = new URL(url);
  const pattern =
    hostname === "raw.githubusercontent.com"
      ? /^\/([^/]+\/[^/]+)\/(?:refs\/(?:heads|tags)\/)?([^/]+)\/(.+)$/
      : hostname === "github.com"
        ? /^\/([^/]+\/[^/]+)\/(?:blob|raw)\/(?:refs\/(?:heads|tags)\/)?([^/]+)\/(.+)$/
        : hostname === "gitlab.com"
          ? /^\/(.+?)\/-\/(?:blob|raw)\/([^/]+)\/(.+)$/
          : undefined;
  const [, project, ref, file] = pattern?.exec(pathname) ?? [];
  if (project === undefined || file === undefined || rootOf(`/${file}`) !== "/") return undefined;
  const host = hostname === "gitlab.com" ? "gitlab.com" : "github.com";
  return { address: parseGitAddress(`https://${host}/${project}.git#${ref}`), file };
}

/** The folder that a marketplace's paths start from. */
function rootOf(file: string): string {
  const folder = path.dirname(file);
  const usual = USUAL_FOLDERS.exec(folder.split(path.sep).join("/"))?.[0];
  if (usual === undefined) return folder;
  const depth = usual.split("/").filter((part) => part !== "").length;
  return path.resolve(folder, ...Array.from({ length: depth }, () => ".."));
}

function parsed(text: string, { source, log }: FetchContext): readonly MarketPlugin[] {
  const marketplace = parseMarketplace(parseJson(text));
  if (marketplace === undefined)
    throw cannotFetch(source, "broken", `${source} is not a marketplace: it has no list of plugins.`);
  for (const problem of marketplace.problems) log.warn(`${source}: ${problem}`);
  return marketplace.plugins;
}

interface InsidePlugin {
  readonly name: string;
  readonly folder: string;
  readonly skills: readonly string[] | undefined;
}

/** The plugins beside the file. If there are none, the refusal says where the others are. */
function insidePlugins(plugins: readonly MarketPlugin[], context: FetchContext): readonly InsidePlugin[] {
  const inside: InsidePlugin[] = [];
  const elsewhere: string[] = [];
  for (const { name, source, skills } of plugins) {
    if (source.kind === "inside") inside.push({ name, folder: source.path, skills });
    else if (source.kind === "elsewhere") elsewhere.push(`${name} (${source.address})`);
    else if (source.kind === "outside")
      context.log.warn(
        `${context.source}: the plugin '${name}' lies in '${source.path}', outside; it is skipped`,
      );
    else context.log.warn(`${context.source}: the source of the plugin '${name}' is unknown; it is skipped`);
  }
  const shown = elsewhere.slice(0, 10).join(", ") + (elsewhere.length > 10 ? ", …" : "");
  if (inside.length > 0) {
    if (elsewhere.length > 0) context.progress(`skipped plugins of other sources: ${shown}`);
    return inside;
  }
  const words =
    elsewhere.length === 0
      ? `${context.source} lists no plugins that can be fetched.`
      : `The plugins of ${context.source} come from other sources, and only the named source is contacted. ` +
        `Add those that you want by their own address: ${shown}.`;
  throw cannotFetch(context.source, "not-found", words);
}

/** Folders that lie in no other of them. */
function outermost(folders: readonly string[]): readonly string[] {
  const all = [...new Set(folders)];
  const isBelow = (inner: string, outer: string): boolean => outer === "" || inner.startsWith(`${outer}/`);
  return all.filter((folder) => !all.some((other) => other !== folder && isBelow(folder, other)));
}

/** Names the skills of the plugins; without any, they are found by a scan. */
async function withListed(
  fetched: FetchedContent,
  plugins: readonly InsidePlugin[],
): Promise<FetchedContent> {
  const listed = new Map<string, NamedSkill>();
  for (const { name, folder, skills } of plugins) {
    for (const place of skills ?? [path.posix.join(folder, "skills"), folder]) {
      for (const each of await skillFolders(fetched.folder, place || ".", place !== folder))
        if (!listed.has(each))
          listed.set(each, {
            name: each === "." ? name : path.posix.basename(each),
            plugin: name,
            path: each,
          });
    }
  }
  return listed.size === 0 ? fetched : { ...fetched, listed: [...listed.values()] };
}

/** A folder with a SKILL.md, or those right below it that have one. */
async function skillFolders(
  tree: string,
  folder: string,
  mayHoldSkills: boolean,
): Promise<readonly string[]> {
  const has = async (each: string): Promise<boolean> =>
    (await stat(path.join(tree, each, "SKILL.md")).catch(() => undefined))?.isFile() === true;
  if (await has(folder)) return [folder];
  if (!mayHoldSkills) return [];
  const found: string[] = [];
  const names: readonly string[] = await readdir(path.join(tree, folder)).catch(() => []);
  for (const name of names.toSorted()) {
    const each = path.posix.join(folder, name);
    if (await has(each)) found.push(each);
  }
  return found;
}

/** The real path of a folder below another one; a link that leads out does not count. */
async function folderInside(root: string, inside: string): Promise<string | undefined> {
  const folder = await realpath(path.join(root, inside)).catch(() => undefined);
  if (folder === undefined || !isInside(root, folder)) return undefined;
  return (await stat(folder)).isDirectory() ? folder : undefined;
}
