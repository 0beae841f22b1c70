import path from "node:path";
import {
  type Skill as PublishedSkill,
  SkillCatalogError,
  skillEntry,
} from "@modelcontextprotocol/server/ext/skills";
import { checkRules } from "#check";
import type { Skill } from "#skills";
import {
  digestOf,
  isSettled,
  listSkillFiles,
  MOST_BYTES,
  MOST_FILES,
  readSkill,
  type SkillFile,
  type SkillListing,
} from "#skills";
import { runQueue } from "#util";
import { Refusal } from "#util/pure";
import { SKILL_FILE, skillFileUri, skillRootUri } from "../resources/resource-uri.ts";
import { compareKeys } from "../server/paging.ts";

/** Why a skill is not published, though the tools serve it. */
export interface PublishProblem {
  readonly file: string;
  /** A whole sentence with the way out. */
  readonly message: string;
}

export type ExtensionPublication =
  | { readonly ok: true; readonly entry: PublishedSkill; readonly files: number }
  | { readonly ok: false; readonly problem: PublishProblem };

export type Publisher = ReturnType<typeof createPublisher>;

const FILES_AT_ONCE = 8;

/**
 * What hosts check of an entry: one that breaks these rules makes a host refuse the whole list. Other rules do not
 * matter here: a URI has the skill's name and not its folder's, and fields are published as the author wrote them.
 */
const CHECKED_BY_HOSTS: ReadonlySet<string> = new Set([
  "name-characters",
  "name-length",
  "name-hyphens",
  "description-length",
  "compatibility",
  "metadata",
]);

/** Decides what of a skill may be published. A result is cached until a file of the skill changes. */
export function createPublisher(now: () => number = Date.now) {
  const known = new WeakMap<
    Skill,
    { readonly fingerprint: string; readonly publication: ExtensionPublication }
  >();

  async function resourcesOf(skill: Skill, root: string, files: readonly SkillFile[]) {
    const resources: { uri: string; digest: string; size: number }[] = [];
    let bytes = 0;
    await runQueue(files, FILES_AT_ONCE, async (file) => {
      const uri = skillFileUri(root, skill, file.names);
      if (uri === undefined)
        throw problem(skill, `The name of '${file.names.join("/")}' cannot be written in a URI. Rename it.`);
      const { digest, size } = await digestOf(skill, file);
      resources.push({ uri, digest, size });
      bytes += size;
    });
    if (bytes > MOST_BYTES) throw problem(skill, tooLarge(bytes));
    return resources.sort((a, b) => compareKeys(a.uri, b.uri));
  }

  async function publish(skill: Skill, listing: SkillListing): Promise<ExtensionPublication> {
    refuseFolder(skill, listing);
    const root = skillRootUri(skill);
    if (root === undefined) throw problem(skill, "Its name cannot be written in a URI. Rename it.");
    const frontmatter = await strictFrontMatter(skill);
    const resources = await resourcesOf(skill, root, listing.files);
    const entry = { uri: `${root}/${SKILL_FILE}`, frontmatter, resources };
    return { ok: true, entry, files: resources.length };
  }

  return {
    async of(skill: Skill): Promise<ExtensionPublication> {
      const began = now();
      const listing = await listSkillFiles(skill);
      const fingerprint = listingFingerprint(listing);
      const existing = known.get(skill);
      if (existing?.fingerprint === fingerprint) return existing.publication;
      const publication = await publish(skill, listing).catch((error: unknown): ExtensionPublication => {
        if (error instanceof NotPublished) return { ok: false, problem: error.problem };
        if (error instanceof Refusal)
          return { ok: false, problem: { file: fileOf(skill), message: error.message } };
        throw error;
      });
      if (listing.files.every((file) => isSettled(file, began)))
        known.set(skill, { fingerprint, publication });
      else known.delete(skill);
      return publication;
    },
  };
}

/** Why a skill cannot be published; undefined when it can. */
export async function publishProblem(skill: Skill): Promise<PublishProblem | undefined> {
  const publication = await createPublisher().of(skill);
  return publication.ok ? undefined : publication.problem;
}

class NotPublished extends Error {
  readonly problem: PublishProblem;
  constructor(problem: PublishProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

function problem(skill: Skill, message: string): NotPublished {
  return new NotPublished({ file: fileOf(skill), message });
}

function fileOf({ dir, fileName }: Skill): string {
  return path.join(dir, fileName);
}

function listingFingerprint({ files, unservable, complete }: SkillListing): string {
  return JSON.stringify([
    complete,
    unservable,
    ...files.map(({ names, fingerprint }) => [names, fingerprint]),
  ]);
}

function tooLarge(bytes: number): string {
  return `Its files are ${(bytes / 1024 / 1024).toFixed(1)} MiB in total; the limit is 16 MiB. Move large files elsewhere.`;
}

/** Refuses what can be seen from the folder alone. */
function refuseFolder(skill: Skill, { files, unservable, complete }: SkillListing): void {
  if (unservable !== undefined) {
    throw problem(
      skill,
      `'${unservable}' is a link to a folder, to a hidden file or out of the skill, or a special file. Copy the content instead.`,
    );
  }
  if (!complete)
    throw problem(
      skill,
      `It has more than ${MOST_FILES} files, or too many folders. Move what does not belong to the skill elsewhere.`,
    );
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MOST_BYTES) throw problem(skill, tooLarge(bytes));
}

/** The front matter as hosts will read it: by the rules that they check, and with the SDK's own reader. */
async function strictFrontMatter(skill: Skill): Promise<PublishedSkill["frontmatter"]> {
  const loaded = await readSkill(skill);
  if (!loaded.ok) throw problem(skill, loaded.failure.message);
  const { name } = loaded.skill;
  if (name !== skill.name)
    throw problem(skill, `Its name is now '${name}', which the next refresh reads. List again.`);
  const broken = checkRules(loaded.skill, name, "text").find(({ rule }) => CHECKED_BY_HOSTS.has(rule));
  if (broken !== undefined) throw problem(skill, broken.message);
  // What is published must equal the file, so nothing in it can be escaped.
  const hidden = loaded.skill.warnings.find(({ code }) => code === "hidden-characters");
  if (hidden !== undefined) throw problem(skill, hidden.message);
  try {
    return (await skillEntry(skill.name, { [SKILL_FILE]: loaded.text })).frontmatter;
  } catch (error) {
    if (!(error instanceof SkillCatalogError)) throw error;
    const reasons = error.problems.map(({ message }) => message).join("; ");
    throw problem(
      skill,
      `A strict reader refuses its front matter: ${reasons}. Write one 'key: value' a line, in quotes where it is needed.`,
    );
  }
}
