import type { Stats } from "node:fs";
import path from "node:path";
import { type Fingerprint, fingerprintOf, mayChangeUnseen, runQueue, sha256 } from "#util";
import { defined } from "#util/pure";
import { type FoldedTexts, foldCase } from "../catalog/all-words.ts";
import type { LibrarySkill } from "../library/library.ts";
import { parseLibrarySkill } from "../skill/parse-library-skill.ts";
import type { RepoPlace, Skill } from "../skill/skill.ts";
import { type FileFailure, invisibleFailure, LOADING, readWhole, readWholeAs } from "./read-skill-file.ts";

/** Reads the folded texts of skills, and caches them for as long as their files do not change. */
export interface SkillTexts {
  /** The texts of each skill, in order; undefined for one whose file cannot be read any more. */
  of(
    skills: readonly Skill[],
    fingerprints: ReadonlyMap<Skill, string>,
  ): Promise<readonly (FoldedTexts | undefined)[]>;
}

/** Beyond this a text is read again for each search. */
const MOST_CACHED_UNITS = 64 * 1024 * 1024;
const FILES_AT_ONCE = 16;

interface CachedTexts {
  readonly fingerprint: string | undefined;
  readonly texts: FoldedTexts;
}

export function createSkillTexts(): SkillTexts {
  const cached = new Map<Skill, CachedTexts>();
  let units = 0;

  function forget(skill: Skill): void {
    units -= cached.get(skill)?.texts.body.length ?? 0;
    cached.delete(skill);
  }

  return {
    async of(skills, fingerprints) {
      const current = new Set(skills);
      for (const skill of cached.keys()) if (!current.has(skill)) forget(skill);
      const found: (FoldedTexts | undefined)[] = Array.from({ length: skills.length });
      await runQueue(skills.keys(), FILES_AT_ONCE, async (index) => {
        const skill = skills[index] as Skill;
        const fingerprint = fingerprints.get(skill);
        const known = cached.get(skill);
        if (known !== undefined && known.fingerprint === fingerprint) {
          found[index] = known.texts;
          return;
        }
        forget(skill);
        const texts = await readTexts(skill);
        found[index] = texts;
        if (texts === undefined || units + texts.body.length > MOST_CACHED_UNITS) return;
        cached.set(skill, { fingerprint, texts });
        units += texts.body.length;
      });
      return found;
    },
  };
}

async function readTexts(skill: Skill): Promise<FoldedTexts | undefined> {
  const body = await readBody(skill);
  if (body === undefined) return undefined;
  return {
    names: foldCase(`${path.basename(skill.dir)}\n${skill.name}`),
    description: foldCase(skill.description),
    body: foldCase(body),
  };
}

/** Blank lines before the text say nothing; the space before its first word may make it code. */
const BLANK_LINES = /^(?:[ \t]*\r?\n)+/;

/** The text after the front matter, or undefined when the file cannot be read any more. */
export async function readBody(skill: Skill): Promise<string | undefined> {
  const loaded = await readSkill(skill);
  if (!loaded.ok) return undefined;
  return loaded.text.slice(loaded.skill.bodyStart).replace(BLANK_LINES, "").trimEnd();
}

/** Reads the whole file of a skill, by the rules by which the scan found it. */
export async function readSkill(skill: Skill): ReturnType<typeof readWhole> {
  const loaded = await readWhole(realFileOf(skill), { lenient: skill.lenient === true });
  if (skill.strict === undefined || !loaded.ok) return loaded;
  const failure = invisibleFailure(loaded.text);
  return failure === undefined ? loaded : { ok: false, failure };
}

/** The path to open: recorded by the scan, never made of what a client sent. */
export function realFileOf(skill: Skill): string {
  return skill.linkedFile ?? path.join(skill.realDir, skill.fileName);
}

type Fields = Readonly<Record<string, unknown>>;
type LibraryText =
  | { readonly ok: true; readonly text: string; readonly body: string; readonly fields: Fields }
  | { readonly ok: false; readonly failure: FileFailure };

/** What follows the front matter of a library skill, as the disk shows it now. */
export async function readLibraryText({ realFile, strict }: LibrarySkill): Promise<LibraryText> {
  const loaded = await readWholeAs(realFile, parseLibrarySkill);
  if (!loaded.ok) return loaded;
  const failure = strict === undefined ? undefined : invisibleFailure(loaded.text);
  if (failure !== undefined) return { ok: false, failure };
  const { text } = loaded;
  const { bodyStart, fields } = loaded.skill;
  return { ok: true, text, body: text.slice(bodyStart), fields };
}

interface RecentReads<Key, Value> {
  /** The file whose fingerprint is compared. */
  readonly fileOf: (key: Key) => string;
  /**
   * Reads that file. `stats` are those of the open file: those of the path may be of another file, if a folder on the way to it
   * is swapped meanwhile. What it throws is not cached.
   */
  readonly read: (key: Key) => Promise<{ readonly value: Value; readonly stats: Stats }>;
  readonly now?: () => number;
}

interface Recent<Value> {
  readonly fingerprint: Fingerprint;
  readonly value: Value;
}

/** The texts of several hundred skills, which take a few MiB. */
const MOST_RECENT_UNITS = 2 * 1024 * 1024;

/**
 * Reads files that are asked for again and again. Each time the fingerprint of the file is compared, and any other one means
 * that it is read anew: opening, reading and parsing a file takes many times as long as asking whether it is the same.
 */
export function createRecentReads<Key, Value extends { readonly text: string }>({
  fileOf,
  read,
  now = Date.now,
}: RecentReads<Key, Value>): (key: Key) => Promise<Value> {
  const recent = new Map<Key, Recent<Value>>();
  let units = 0;

  function drop(key: Key): void {
    units -= recent.get(key)?.value.text.length ?? 0;
    recent.delete(key);
  }

  function add(key: Key, read: Recent<Value>): void {
    // A concurrent call may have added it meanwhile.
    drop(key);
    units += read.value.text.length;
    recent.set(key, read);
    for (const oldest of recent.keys()) {
      if (units <= MOST_RECENT_UNITS) return;
      drop(oldest);
    }
  }

  return async (key) => {
    const known = recent.get(key);
    if (known !== undefined) {
      const found = await LOADING.lstat(fileOf(key));
      if (found !== undefined && fingerprintOf(found) === known.fingerprint) return known.value;
      drop(key);
    }
    const readAt = now();
    const { value, stats } = await read(key);
    if (!mayChangeUnseen(stats, readAt)) add(key, { fingerprint: fingerprintOf(stats), value });
    return value;
  };
}

/** Where content came from, as far as it is known. */
export interface Provenance {
  readonly repository?: string;
  readonly commit?: string;
  /** In the repository, with `/`. */
  readonly path?: string;
  /** Whose repository or marketplace it is. */
  readonly owner?: string;
  /** Digest of the served text, as `sha256:` and 64 digits. */
  readonly sha256?: string;
  /** Digest of all files of the approved version that is served, in the same form. */
  readonly approved?: string;
}

/** The provenance of the file of a skill. */
export function provenanceOf({ repo, plugin, approved }: Skill, text: string): Provenance {
  return {
    ...(repo === undefined ? defined({ owner: plugin?.marketplace }) : repoProvenance(repo)),
    sha256: sha256Of(text),
    ...approvedDigest(approved),
  };
}

/** The provenance of any file of a skill; undefined where only its digest is known. */
export function fileProvenance({ repo, approved }: Skill, digest: () => string): Provenance | undefined {
  if (repo === undefined && approved === undefined) return undefined;
  return {
    ...repoProvenance(repo),
    sha256: digest(),
    ...approvedDigest(approved),
  };
}

const approvedDigest = (approved: Skill["approved"]): Pick<Provenance, "approved"> =>
  defined({ approved: approved && `sha256:${approved.digest}` });

export function repoProvenance(repo: RepoPlace | undefined): Provenance {
  if (repo === undefined) return {};
  const owner = ownerOf(repo.url);
  return {
    repository: repo.url,
    commit: repo.commit,
    ...(repo.path === "" ? {} : { path: repo.path }),
    ...(owner === undefined ? {} : { owner }),
  };
}

/** `acme` of `https://github.com/acme/skills` and `git@github.com:acme/skills`; undefined for a folder. */
function ownerOf(url: string): string | undefined {
  const [, path = ""] =
    /^(?!file:)[a-z][a-z0-9+.-]*:\/\/[^/]+\/(.*)$/i.exec(url) ??
    /^(?:[^/@:]+@)?[^/:]+:([^/:].*)$/.exec(url) ??
    [];
  const parts = path.split("/").filter((part) => part !== "");
  return parts.length < 2 ? undefined : parts[0];
}

export function sha256Of(content: string | Uint8Array): string {
  return `sha256:${sha256(content).toString("hex")}`;
}
