import type { ListResourcesResult, Resource } from "@modelcontextprotocol/server";
import type { Snapshot } from "#skills";
import { listSkillFiles } from "#skills";
import { visibleLine } from "#util/pure";
import { compareKeys, createCursors, PAGE_SIZE } from "../server/paging.ts";
import { libraryResources } from "./library-resources.ts";
import { isSkillFile, MARKDOWN, resourceTypeOf, skillFileUri } from "./resource-uri.ts";
import { type ServedSkill, servedSkills } from "./served-skills.ts";

const CURSORS = createCursors("resources");
/** Folders are read ahead by this many skills. */
const SKILLS_AT_ONCE = 32;

/** One page of every file of every skill, in the order of their URIs. Only the folders of that page are read. */
export async function listResources(
  { catalog, library }: Snapshot,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ListResourcesResult> {
  const last = CURSORS.read(cursor) ?? "";
  const resources: Resource[] = libraryResources(library).filter(({ uri }) => uri > last);
  const skills = servedSkills(catalog).sorted.filter(({ root }) => mayFollow(root, last));
  for (let next = 0; next < skills.length && resources.length <= PAGE_SIZE; next += SKILLS_AT_ONCE) {
    signal.throwIfAborted();
    const some = await Promise.all(skills.slice(next, next + SKILLS_AT_ONCE).map(resourcesOf));
    for (const resource of some.flat()) if (resource.uri > last) resources.push(resource);
  }
  const page = resources.slice(0, PAGE_SIZE);
  const end = page.at(-1);
  if (end === undefined || resources.length <= PAGE_SIZE) return { resources: page };
  return { resources: page, nextCursor: CURSORS.after(end.uri) };
}

/** Whether a skill may have files whose URIs come after this one. */
function mayFollow(root: string, last: string): boolean {
  return `${root}/` > last || last.startsWith(`${root}/`);
}

async function resourcesOf({ entry, root }: ServedSkill): Promise<readonly Resource[]> {
  const { skill, listedAs } = entry;
  const { files } = await listSkillFiles(skill);
  return files
    .flatMap(({ names, size }): Resource[] => {
      const uri = skillFileUri(root, skill, names);
      if (uri === undefined) return [];
      return isSkillFile(skill, names)
        ? [{ uri, name: listedAs, description: skill.description, mimeType: MARKDOWN, size }]
        : [
            {
              uri,
              name: visibleLine(`${listedAs}/${names.join("/")}`),
              mimeType: resourceTypeOf(names.at(-1) ?? ""),
              size,
            },
          ];
    })
    .sort((a, b) => compareKeys(a.uri, b.uri));
}
