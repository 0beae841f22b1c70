import { type Entry, publishNames, readSkillFile, type Skill, type Snapshot } from "#skills";
import { runQueue } from "#util";
import { cutText, memoizeWeak } from "#util/pure";
import {
  type Artifact,
  artifactBytes,
  listArtifact,
  readArtifact,
  SKILL_FILE,
  type Unpublished,
} from "./skill-artifact.ts";

/** Where installers look for the indexes of Agent Skills discovery 0.2 and 0.1, below the address of a site. */
export const FOLDER_0_2 = ".well-known/agent-skills";
export const FOLDER_0_1 = ".well-known/skills";
export const INDEX_FILE = "index.json";

const SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
/** The longest description that the format allows. */
const LONGEST_DESCRIPTION = 1_024;
const SKILLS_AT_ONCE = 16;

/** A skill that installers can get. */
export interface PublishedSkill {
  readonly name: string;
  readonly description: string;
  readonly skill: Skill;
  readonly artifact: Artifact;
  /** The path of the artifact below the folder of the index of discovery 0.2. */
  readonly download: string;
}

/** Everything that is published of one snapshot. */
export interface Publication {
  readonly skills: readonly PublishedSkill[];
  /** Served and not published, each with the reason. */
  readonly left: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * Publishes the skills of snapshots to installers. The digests of a snapshot are computed once, and of what has not
 * changed since the last one not even that.
 */
export function createPublisher(now: () => number = Date.now) {
  const artifacts = new WeakMap<Skill, Artifact>();
  const publications = new WeakMap<Snapshot, Promise<Publication>>();
  const namesOf = memoizeWeak(publishNames);

  async function artifactOf(skill: Skill, { withFiles }: Snapshot): Promise<Artifact | Unpublished> {
    const files = await listArtifact(skill, !withFiles.has(skill.realDir));
    if ("reason" in files) {
      artifacts.delete(skill);
      return files;
    }
    const artifact = await readArtifact(skill, files, now(), artifacts.get(skill));
    artifacts.set(skill, artifact);
    return artifact;
  }

  async function publish(snapshot: Snapshot): Promise<Publication> {
    const named = [...namesOf(snapshot.catalog)];
    const results: (Artifact | Unpublished)[] = Array.from({ length: named.length });
    await runQueue(named.entries(), SKILLS_AT_ONCE, async ([at, [, { skill }]]) => {
      // A file that goes or changes at this moment leaves out its own skill, not the others.
      results[at] = await artifactOf(skill, snapshot).catch(unpublished);
    });
    return publicationFrom(named, results);
  }

  function publicationOf(snapshot: Snapshot): Promise<Publication> {
    const known = publications.get(snapshot);
    if (known !== undefined) return known;
    const publication = publish(snapshot);
    publications.set(snapshot, publication);
    return publication;
  }

  return {
    publicationOf,
    /** What is downloaded of a skill, as it is now. Undefined when there is none of this name. */
    async download(snapshot: Snapshot, name: string): Promise<PublishedSkill | undefined> {
      const entry: Entry | undefined = namesOf(snapshot.catalog).get(name);
      if (entry === undefined) return undefined;
      const before = artifacts.get(entry.skill);
      const artifact = await artifactOf(entry.skill, snapshot).catch(unpublished);
      // The index is out of date before the next scan notices: the next request makes another.
      const digest = "digest" in artifact ? artifact.digest : undefined;
      if (digest !== before?.digest) publications.delete(snapshot);
      if ("reason" in artifact) return undefined;
      return publishedAs(name, entry.skill.description, entry.skill, artifact);
    },
  };
}

function publicationFrom(
  named: readonly (readonly [string, Entry])[],
  results: readonly (Artifact | Unpublished)[],
): Publication {
  const skills: PublishedSkill[] = [];
  const left: { name: string; reason: string }[] = [];
  for (const [at, [name, { skill, listedAs }]] of named.entries()) {
    const result = results[at];
    if (result === undefined) continue;
    const description = cutText(skill.description, LONGEST_DESCRIPTION);
    if ("reason" in result) left.push({ name: listedAs, reason: result.reason });
    else skills.push(publishedAs(name, description, skill, result));
  }
  return { skills, left };
}

function unpublished(error: unknown): Unpublished {
  return { reason: error instanceof Error ? error.message.replace(/\.$/, "") : String(error) };
}

/** Agent Skills discovery 0.2. Addresses are relative, so that they hold below any path. */
export function indexOf02({ skills }: Publication): object {
  return {
    $schema: SCHEMA,
    skills: skills.map(({ name, description, download: url, artifact: { type, digest } }) => {
      return { name, type, description, url, digest };
    }),
  };
}

/** Discovery 0.1, which opencode and older installers read: they take the files one by one. */
export function indexOf01({ skills }: Publication): object {
  return {
    skills: skills
      .filter(({ artifact }) => artifact.addressable)
      .map(({ name, description, artifact: { files, digest } }) => {
        return { name, description, files: files.map(({ path }) => path), version: digest };
      }),
  };
}

function publishedAs(name: string, description: string, skill: Skill, artifact: Artifact): PublishedSkill {
  const download = artifact.type === "archive" ? `${name}.tar.gz` : `${name}/${SKILL_FILE}`;
  return { name, description, skill, artifact, download };
}

/** The bytes of a skill's artifact, in pieces. */
export function downloadBytes({ skill, artifact }: PublishedSkill): AsyncGenerator<Uint8Array, void> {
  return artifactBytes(skill, artifact.files);
}

/** One file of a skill, by the path that the index lists; undefined when it lists none of this path. */
export async function publishedFileBytes(
  { skill, artifact }: PublishedSkill,
  path: string,
): Promise<Uint8Array | undefined> {
  const found = artifact.files.find((file) => file.path === path);
  return found && readSkillFile(skill, found.file);
}
