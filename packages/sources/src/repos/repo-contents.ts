import path from "node:path";
import { type Diagnostic, type LocatedLibrary, type Root, readWhole } from "#skills";
import { nameKey } from "#util/pure";
import type { GitAddress } from "../address/source-address.ts";
import type { SourceContent } from "../git-source.ts";
import { findLibrary } from "./library-files.ts";
import { contains, type RepoFolder, rootOf } from "./repo-roots.ts";
import { findRepoSkills, type LeftOutFolder } from "./repo-skills.ts";
import { createRepoTree, isBelow, type RepoTree } from "./repo-tree.ts";

/** What one version of a repository holds, as far as an address wants it. */
export interface RepoContents {
  readonly roots: readonly Root[];
  readonly library: LocatedLibrary | undefined;
  /** It holds skills or plugins, so that a file of settings in it may be about anything. */
  readonly hasSkills: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Why nothing is served of it; undefined when something is. */
  readonly nothing: string | undefined;
}

/** Finds out what a repository holds: skills, plugins, a library, or all of them. */
export async function readRepoContents(content: SourceContent, address: GitAddress): Promise<RepoContents> {
  const { folder, commit } = content;
  const { path: base = "", skill: wanted, repo } = address;
  const tree = createRepoTree(folder, await content.files(), base);
  const { folders: all, plugins, leftOut, diagnostics } = await findRepoSkills(tree);
  const folders = wanted === undefined ? all : await foldersOfSkill(tree, all, wanted);
  const hasSkills = tree.skillDirs.length + plugins.length > 0;
  const library = wanted === undefined ? await findLibrary(tree, !hasSkills) : undefined;
  const isEmpty = folders.length === 0 && library === undefined;
  return {
    roots: folders.map((one) => rootOf(one, { url: repo.url, commit, folder })),
    library,
    hasSkills,
    diagnostics: [...diagnostics, ...leftOutLine(leftOut, folder)],
    nothing: isEmpty ? whyNothing(tree, wanted) : undefined,
  };
}

/** The folder of one skill alone, without the skills below it. Names are compared as everywhere; a plugin's may come first. */
async function foldersOfSkill(
  { folder, skillDirs, skillFiles }: RepoTree,
  folders: readonly RepoFolder[],
  wanted: string,
): Promise<readonly RepoFolder[]> {
  const key = nameKey(wanted);
  for (const dir of skillDirs) {
    const owner = folders.find((one) => contains(one, dir));
    const file = skillFiles.get(dir);
    if (owner === undefined || file === undefined) continue;
    const loaded = await readWhole(path.join(folder, ...file.split("/")), { lenient: true });
    const names = [...(loaded.ok ? [loaded.skill.name] : []), path.posix.basename(dir)];
    const isWanted = names.some(
      (name) => nameKey(name) === key || nameKey(`${owner.plugin?.name ?? ""}:${name}`) === key,
    );
    if (!isWanted) continue;
    const inside = skillDirs.filter((other) => other !== dir && isBelow(dir, other));
    return [{ ...owner, dir, except: inside }];
  }
  return [];
}

const MOST_NAMED = 5;

/** What is not served of a repository because another skill of it has the name: one line, since copies come in numbers. */
function leftOutLine(leftOut: readonly LeftOutFolder[], folder: string): readonly Diagnostic[] {
  const [first] = leftOut;
  if (first === undefined) return [];
  const named = leftOut.slice(0, MOST_NAMED).map(({ dir, instead }) => `${dir} (${instead})`);
  const more = leftOut.length > MOST_NAMED ? ` and ${leftOut.length - MOST_NAMED} more` : "";
  const message =
    "Copies for one agent and links are not served where the repository has a skill of the same name, which is: " +
    `${named.join(", ")}${more}.`;
  const file = path.join(folder, ...first.dir.split("/"));
  return [{ severity: "warning", code: "hidden-skills", file, message }];
}

/** The end of a sentence about a repository. */
function whyNothing({ base, hasFolder, files }: RepoTree, wanted: string | undefined): string {
  if (base !== "" && !hasFolder(base)) return `has no folder '${base}'`;
  const place = base === "" ? "" : ` in its folder '${base}'`;
  if (wanted !== undefined) return `has no skill '${wanted}'${place}`;
  if (files.size === 0) return `has no files${place}`;
  return `has no skills${place}: no SKILL.md, and no Markdown file with keywords`;
}
