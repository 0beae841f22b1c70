import type { Skill } from "../../skill/skill.ts";
import { runQueue } from "../../system/work-queue.ts";
import { type FolderEntry, readFolder } from "./read-folder.ts";
import { type SkillFile, skillFileAt } from "./skill-file.ts";

/** A skill's files, in the order of their paths. */
export interface SkillListing {
  readonly files: readonly SkillFile[];
  /** The path of something in the folder that cannot be served. */
  readonly unservable: string | undefined;
  /** False: there are more files than are listed. */
  readonly complete: boolean;
}

/** As many as the Skills extension allows. */
export const MOST_FILES = 512;
/** A folder with more folders than this is a project, not a skill. */
const MOST_FOLDERS = 1_024;
const FILES_AT_ONCE = 16;

interface Found {
  readonly names: readonly string[];
  readonly real: string;
}

/** Every file of a skill as the disk shows it now, folder by folder, so that the same tree gives the same answer. */
export async function listSkillFiles(skill: Skill): Promise<SkillListing> {
  const found: Found[] = [];
  const unservable: string[] = [];
  const folders: Found[] = [{ names: [], real: skill.realDir }];
  for (let next = 0; next < folders.length; next++) {
    const { names, real } = folders[next] as Found;
    for (const entry of await readFolder(skill, real)) {
      place(entry, [...names, entry.name], { found, folders, unservable });
    }
    if (found.length > MOST_FILES || folders.length > MOST_FOLDERS) break;
  }
  const complete = found.length <= MOST_FILES && folders.length <= MOST_FOLDERS;
  const listed = found.slice(0, MOST_FILES);
  const files: (SkillFile | undefined)[] = Array.from({ length: listed.length });
  await runQueue(listed.keys(), FILES_AT_ONCE, async (index) => {
    const { names, real } = listed[index] as Found;
    files[index] = await skillFileAt(names, real);
  });
  return { files: files.filter((file) => file !== undefined), unservable: unservable[0], complete };
}

function place(
  entry: FolderEntry,
  names: readonly string[],
  to: { readonly found: Found[]; readonly folders: Found[]; readonly unservable: string[] },
): void {
  if (entry.kind === "unservable") to.unservable.push(names.join("/"));
  else (entry.kind === "file" ? to.found : to.folders).push({ names, real: entry.real });
}
