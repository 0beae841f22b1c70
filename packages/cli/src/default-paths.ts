import path from "node:path";
import { findProjects, homeNames, planRoots, SKILL_FOLDERS, traverseRoot } from "#skills";
import { isInside, POOLED_DISK } from "#util";

/** Where repositories of skills keep them, beside the folders of agents. */
const SHARED_FOLDER = "skills";

/** What to check when nothing is named: the skill whose folder this is, or the folders with the project's skills. */
export async function defaultPaths(cwd: string, home: string): Promise<readonly string[]> {
  return (await projectPaths(cwd, home)).paths;
}

/** These paths, and those among them that no agent reads, so that a view has their skills only if they are named. */
export async function projectPaths(
  cwd: string,
  home: string,
): Promise<{ readonly paths: readonly string[]; readonly unread: readonly string[] }> {
  const homes = await homeNames([home]);
  const projects = await findProjects({ starts: [cwd], homes });
  const roots = planRoots({ cwd, projects: projects.folders, home, skillDirs: [], defaultDirs: true })
    .filter(({ location }) => location === "project")
    .map(({ dir }) => dir);
  const own = await ownSkill(cwd, homes);
  const folders = own === undefined ? [...roots, path.join(cwd, SHARED_FOLDER)] : [own];
  const found = await Promise.all(folders.map(async (dir) => ((await hasSkills(dir)) ? [dir] : [])));
  const paths = [...new Set(found.flat())];
  return { paths, unread: paths.filter((dir) => !roots.some((root) => isInside(root, dir))) };
}

/** The nearest folder, from here upwards and below the home folder, that is a skill. */
async function ownSkill(cwd: string, homes: readonly string[]): Promise<string | undefined> {
  for (let dir = cwd; !homes.includes(dir); dir = path.dirname(dir)) {
    const names = await POOLED_DISK.names(dir);
    if (names?.some((name) => SKILL_FOLDERS.isSkillFile(name)) === true) return dir;
    if (path.dirname(dir) === dir) break;
  }
  return undefined;
}

async function hasSkills(dir: string): Promise<boolean> {
  if ((await POOLED_DISK.names(dir)) === undefined) return false;
  const { files, diagnostics } = await traverseRoot(dir, SKILL_FOLDERS);
  return files.length + diagnostics.length > 0;
}
