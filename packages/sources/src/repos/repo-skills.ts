import { lstatSync, realpathSync } from "node:fs";
import { realpath } from "node:fs/promises";
import path from "node:path";
import { type Diagnostic, loadableName, readWhole } from "#skills";
import { nameKey } from "#util/pure";
import { findRepoPlugins, type RepoPlugin } from "./repo-plugins.ts";
import { agentsFolders, type RepoFolder, repoFolders } from "./repo-roots.ts";
import { isBelow, type RepoTree } from "./repo-tree.ts";

/** Which skills a source contains: what `add` installs of it, and what a server serves of a repository. */
export interface RepoSkills {
  /** To scan, highest priority first. Of two skills of one plugin with one name, the first counts. */
  readonly folders: readonly RepoFolder[];
  readonly plugins: readonly RepoPlugin[];
  readonly leftOut: readonly LeftOutFolder[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A folder with a skill that is not one of the source's, because another one has its name. */
export interface LeftOutFolder {
  readonly name: string;
  readonly description: string;
  readonly dir: string;
  /** The folder of the other one. */
  readonly instead: string;
}

/**
 * Decides which skills a source contains. Authors keep copies for agents in `.gemini/skills` and the like, and links in place of
 * a SKILL.md to one elsewhere or to a slash command. A link to the SKILL.md of another skill is that skill. The others
 * count where no skill of their name lies in a folder of its own: first those in agents' folders, then links to documents.
 */
export async function findRepoSkills(tree: RepoTree): Promise<RepoSkills> {
  const { plugins, diagnostics } = await findRepoPlugins(tree);
  const { first, later, same } = await ranked(tree, plugins);
  const leftOut = later.length === 0 ? [] : await takenNames(tree, first, later);
  const skipped = new Set([...same, ...leftOut.map(({ dir }) => dir)]);
  return { folders: repoFolders(tree, plugins, skipped), plugins, leftOut, diagnostics };
}

interface SkillRanks {
  readonly first: readonly string[];
  /** In order of priority. */
  readonly later: readonly string[];
  /** Links to the files of others. */
  readonly same: readonly string[];
}

/** Direct calls are much faster than the thread pool here, but must not block requests for long. */
const CHECKS_PER_SLICE = 200;

async function ranked(tree: RepoTree, plugins: readonly RepoPlugin[]): Promise<SkillRanks> {
  const agentsFolder = agentsFolders(tree, plugins);
  const skillFiles = new Set(tree.skillFiles.values());
  const first: string[] = [];
  const ofAgents: string[] = [];
  const documents: string[] = [];
  const same: string[] = [];
  for (const [at, dir] of tree.skillDirs.entries()) {
    const target = linkTarget(tree, dir);
    if (target === undefined) (agentsFolder(dir) === undefined ? first : ofAgents).push(dir);
    else (skillFiles.has(target) && isAlone(tree, dir) ? same : documents).push(dir);
    if (at % CHECKS_PER_SLICE === CHECKS_PER_SLICE - 1) await new Promise(setImmediate);
  }
  return { first, later: [...ofAgents, ...documents], same };
}

/** Where the SKILL.md of a folder leads; undefined for a plain file, and for a broken link, which the scan reports. */
function linkTarget({ folder, skillFiles }: RepoTree, dir: string): string | undefined {
  const file = path.join(folder, skillFiles.get(dir) ?? "");
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return undefined;
  try {
    return path.relative(realpathSync.native(folder), realpathSync.native(file)).split(path.sep).join("/");
  } catch {
    return undefined;
  }
}

/** Whether a folder holds nothing but its SKILL.md. */
function isAlone({ files }: RepoTree, dir: string): boolean {
  let inside = 0;
  for (const file of files) if (isBelow(dir, file) && ++inside > 1) return false;
  return true;
}

/** Those of `later` whose names are taken by then. */
async function takenNames(
  tree: RepoTree,
  first: readonly string[],
  later: readonly string[],
): Promise<readonly LeftOutFolder[]> {
  const taken = new Map<string, string>();
  const leftOut: LeftOutFolder[] = [];
  for (const [at, dir] of [...first, ...later].entries()) {
    const head = await headIn(tree, dir);
    // A file that is no skill is reported by the scan.
    if (head === undefined) continue;
    const instead = taken.get(nameKey(head.name));
    if (instead === undefined) taken.set(nameKey(head.name), dir);
    else if (at >= first.length) leftOut.push({ ...head, dir, instead });
  }
  return leftOut;
}

async function headIn(
  { folder, skillFiles }: RepoTree,
  dir: string,
): Promise<Pick<LeftOutFolder, "name" | "description"> | undefined> {
  const file = path.join(folder, ...(skillFiles.get(dir) ?? "").split("/"));
  const loaded = await readWhole(await realpath(file).catch(() => file));
  if (!loaded.ok) return undefined;
  const { name, description } = loaded.skill;
  return { name: loadableName(name) || loadableName(path.posix.basename(dir)), description };
}
