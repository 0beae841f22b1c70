import path from "node:path";
import { findProjects, homeNames, planRoots, SKILL_FOLDERS, traverseRoot } from "#skills";
import { POOLED_DISK } from "#util";

/** Where repositories of skills keep them, beside the folders of agents. */
const SHARED_FOLDER = "skills";

/** What to check when nothing is named: the skill whose folder this is, or the folders with the project's skills. */
export async function defaultPaths(cwd: string, home: string): Promise<readonly string[]> {
  const homes = await homeNames([home]);
  const projects = await findProjects({ starts: [cwd], homes });
  const own = await ownSkill(cwd, homes);
  if (own !== undefined) return [own];
  const roots = planRoots({ cwd, projects: projects.folders, home, skillDirs: [], defaultDirs: true });
  const folders = [
    ...roots.filter(({ location }) => location === "project").map(({ dir }) => dir),
    path.join(cwd, SHARED_FOLDER),
  ];
  const found = await Promise.all(folders.map(async (dir) => ((await hasSkills(dir)) ? [dir] : [])));
  return [...new Set(found.flat())];
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
