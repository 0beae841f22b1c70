import type { Resource, ServerContext } from "@modelcontextprotocol/server";
import type { Skill as PublishedSkill, SkillSource } from "@modelcontextprotocol/server/ext/skills";
import { type FolderEntry, findInSkill, skillFileAt } from "#skills";
import { runQueue } from "#util";
import { locateInSkill, type ReadableSkills, readResource } from "../resources/read-resource.ts";
import { FOLDER, isSkillFile, resourceTypeOf, SKILL_FILE, skillFileUri } from "../resources/resource-uri.ts";
import { answering } from "../resources/serve-resources.ts";
import { type ServedSkill, servedSkills } from "../resources/served-skills.ts";
import { createCursors, PAGE_SIZE, pageOf } from "../server/paging.ts";
import type { ExtensionPublication, Publisher, PublishProblem } from "./publication.ts";

/** A skill that cannot be published. */
export interface LeftOut {
  readonly name: string;
  readonly problem: PublishProblem;
}

interface SourceDeps {
  readonly served: ReadableSkills;
  readonly publisher: Publisher;
  /** Called at the end of a list with the skills that were left out of it. */
  readonly onLeftOut: (skills: readonly LeftOut[]) => void;
}

const SKILL_CURSORS = createCursors("skills");
const FOLDER_CURSORS = createCursors("directory");
const SKILLS_AT_ONCE = 8;
const SKILLS_AHEAD = 64;
/** A page also ends here: an entry lists all its files, and a long page would block other requests. */
const MOST_FILES_ON_A_PAGE = 4_000;

/** What the Skills extension publishes: our own skills, read on demand. */
export function createSkillSource({
  served,
  publisher,
  onLeftOut,
}: SourceDeps): SkillSource & Required<Pick<SkillSource, "readDirectory">> {
  let leftOut: LeftOut[] = [];

  return {
    async list({ cursor }, { mcpReq }: ServerContext) {
      const last = SKILL_CURSORS.read(cursor) ?? "";
      const { sorted } = servedSkills((await served.snapshot()).catalog);
      const page = await pageOfSkills(
        sorted.filter(({ root }) => `${root}/` > last),
        publisher,
        mcpReq.signal,
      );
      leftOut = [...(cursor === undefined ? [] : leftOut), ...page.leftOut];
      const { skills, nextCursor } = page;
      if (nextCursor !== undefined) return { skills, nextCursor };
      onLeftOut(leftOut);
      return { skills };
    },
    async get(uri) {
      const found = await locateInSkill(uri, served);
      if (found === undefined || !uri.endsWith(`/${SKILL_FILE}`)) return undefined;
      const { skill } = found.served.entry;
      if (!isSkillFile(skill, found.names)) return undefined;
      const publication = await publisher.of(skill);
      return publication.ok ? publication.entry : undefined;
    },
    async read(uri) {
      const contents = await answering(() => readResource(uri, served));
      if (contents === undefined) return undefined;
      const mimeType = contents.mimeType ?? "application/octet-stream";
      return "text" in contents
        ? { text: contents.text, mimeType }
        : { bytes: Buffer.from(contents.blob, "base64"), mimeType };
    },
    async readDirectory(uri, { cursor }) {
      const found = await locateInSkill(uri, served);
      if (found === undefined) return undefined;
      const { served: skill, names } = found;
      const folder = await findInSkill(skill.entry.skill, names);
      if (folder?.kind !== "folder") return undefined;
      const children = await childrenOf(folder.entries, names, skill);
      const { items, nextCursor } = pageOf(children, (child) => child.uri, FOLDER_CURSORS, cursor);
      return { resources: items, ...(nextCursor === undefined ? {} : { nextCursor }) };
    },
  };
}

interface SkillPage {
  readonly skills: PublishedSkill[];
  readonly leftOut: readonly LeftOut[];
  readonly nextCursor?: string;
}

async function pageOfSkills(
  candidates: readonly ServedSkill[],
  publisher: Publisher,
  signal: AbortSignal,
): Promise<SkillPage> {
  const skills: PublishedSkill[] = [];
  const leftOut: LeftOut[] = [];
  let files = 0;
  for (let next = 0; next < candidates.length; next += SKILLS_AHEAD) {
    signal.throwIfAborted();
    const some = candidates.slice(next, next + SKILLS_AHEAD);
    for (const [index, publication] of (await publications(some, publisher)).entries()) {
      const { root, entry } = some[index] as ServedSkill;
      if (!publication.ok) {
        leftOut.push({ name: entry.listedAs, problem: publication.problem });
        continue;
      }
      if (skills.length === PAGE_SIZE || (files + publication.files > MOST_FILES_ON_A_PAGE && files > 0)) {
        return { skills, leftOut, nextCursor: SKILL_CURSORS.after(previousRoot(candidates, root)) };
      }
      skills.push(publication.entry);
      files += publication.files;
    }
  }
  return { skills, leftOut };
}

async function publications(
  some: readonly ServedSkill[],
  publisher: Publisher,
): Promise<readonly ExtensionPublication[]> {
  const made: ExtensionPublication[] = Array.from({ length: some.length });
  await runQueue(some.keys(), SKILLS_AT_ONCE, async (index) => {
    made[index] = await publisher.of((some[index] as ServedSkill).entry.skill);
  });
  return made;
}

/** A page ends with the skill before the one that did not fit. */
function previousRoot(candidates: readonly ServedSkill[], root: string): string {
  const index = candidates.findIndex((candidate) => candidate.root === root);
  return `${candidates[index - 1]?.root ?? ""}/`;
}

async function childrenOf(
  entries: readonly FolderEntry[],
  names: readonly string[],
  { root, entry: { skill } }: ServedSkill,
): Promise<readonly Resource[]> {
  const children: Resource[] = [];
  for (const entry of entries) {
    const below = [...names, entry.name];
    const uri = skillFileUri(root, skill, below);
    const name = isSkillFile(skill, below) ? SKILL_FILE : entry.name;
    if (entry.kind === "unservable" || uri === undefined) continue;
    if (entry.kind === "folder") children.push({ uri, name, mimeType: FOLDER });
    else {
      const file = await skillFileAt(below, entry.real);
      if (file !== undefined) children.push({ uri, name, mimeType: resourceTypeOf(name), size: file.size });
    }
  }
  return children.sort((a, b) => (a.uri < b.uri ? -1 : 1));
}
