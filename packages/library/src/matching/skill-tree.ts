import type { Library, LibrarySkill } from "#skills";
import { ownFiles } from "./skill-files.ts";

export interface SkillNode {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly assetCount: number;
  readonly scriptCount: number;
  readonly children: readonly SkillNode[];
}

interface GrowingNode extends SkillNode {
  readonly children: GrowingNode[];
}

const ROOT = "_root";
const INDEX = "_index";

/**
 * The skills below a path, each under its nearest parent that exists: `ui`, `ui/`, `ui/_index` and `ui/react/auth` are
 * paths, and none at all is the whole tree. Undefined when there is nothing at that path.
 */
export function skillTree({ skills }: Library, path = ""): SkillNode | undefined {
  const { root, nodes } = growTree(skills);
  const folder = path.replace(/^\/+|\/+$/g, "");
  if (folder === "" || folder === ROOT) return root;
  const exact = nodes.get(folder);
  const index = nodes.get(`${folder}/${INDEX}`);
  // Beside `ui/_index` there may be a `ui.md`: only the slash tells which one is meant.
  const found = path.endsWith("/") ? (index ?? exact) : (exact ?? index);
  return found ?? folderNode(skills, nodes, folder);
}

/** Links every node to its parent in one pass, without recursion: a tree may be thousands of folders deep. */
function growTree(skills: Library["skills"]): {
  readonly root: GrowingNode;
  readonly nodes: ReadonlyMap<string, GrowingNode>;
} {
  const rootSkill = skills.get(ROOT);
  const root = rootSkill === undefined ? emptyNode("root", ROOT) : nodeOf(rootSkill);
  const sorted = [...skills.values()].filter(({ path }) => path !== ROOT).sort(byPath);
  const nodes = new Map(sorted.map((skill) => [skill.path, nodeOf(skill)]));
  for (const { path, parent } of sorted) {
    const node = nodes.get(path);
    const above = parent === undefined ? root : (nodes.get(parent) ?? root);
    if (node !== undefined) above.children.push(node);
  }
  return { root, nodes };
}

/** A folder that has skills but no index: they are shown as if it had one. */
function folderNode(
  skills: Library["skills"],
  nodes: ReadonlyMap<string, GrowingNode>,
  folder: string,
): SkillNode | undefined {
  const isInside = (path: string | undefined): boolean => path?.startsWith(`${folder}/`) ?? false;
  const children = [...skills.values()]
    .filter(({ path, parent }) => isInside(path) && !isInside(parent))
    .sort(byPath)
    .flatMap(({ path }) => nodes.get(path) ?? []);
  if (children.length === 0) return undefined;
  return { ...emptyNode(lastSegment(folder), folder), children };
}

function nodeOf(skill: LibrarySkill): GrowingNode {
  const { path, description, keywords } = skill;
  const { assets, scripts } = ownFiles(skill);
  return {
    name: nameOf(path),
    path,
    description,
    keywords,
    assetCount: assets.length,
    scriptCount: scripts.length,
    children: [],
  };
}

function emptyNode(name: string, path: string): GrowingNode {
  return { name, path, description: "", keywords: [], assetCount: 0, scriptCount: 0, children: [] };
}

/** An index goes by the name of its folder. */
function nameOf(path: string): string {
  if (path === ROOT) return "root";
  const folder = path.endsWith(`/${INDEX}`) ? path.slice(0, -INDEX.length - 1) : path;
  return lastSegment(folder);
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}
