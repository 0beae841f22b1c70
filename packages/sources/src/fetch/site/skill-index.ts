import { isRecord, parseJson } from "#util/pure";
import { entryPathProblem } from "../../archive/entry-names.ts";
import type { FetchLimits } from "../limits.ts";

/** A skill of a site's index: one file or archive to fetch, or a list of files. */
export type SiteSkill =
  | {
      readonly kind: "artifact";
      readonly name: string;
      readonly type: "skill-md" | "archive";
      /** As it is written; relative to the index. */
      readonly url: string;
      /** `sha256:` and 64 hexadecimal digits. */
      readonly digest: string;
    }
  | {
      readonly kind: "files";
      readonly name: string;
      readonly version: string | undefined;
      readonly files: readonly IndexedFile[];
    };

export interface IndexedFile {
  /** Below the folder `<name>/` beside the index. */
  readonly path: string;
  /** Missing in indexes of version 0.1. */
  readonly digest: string | undefined;
}

export interface SkillIndex {
  readonly skills: readonly SiteSkill[];
  /** One phrase for each entry that cannot be used. */
  readonly skipped: readonly string[];
}

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * Parses an index of Agent Skills discovery, by the shape of each entry and not by the version that it names: `type`, `url`
 * and `digest` (0.2), or `files` as paths (0.1) or as paths with digests (drafts of 0.2). Undefined for anything else.
 */
export function parseSkillIndex(text: string, limits: FetchLimits): SkillIndex | undefined {
  const index = parseJson(text);
  if (!isRecord(index) || !Array.isArray(index["skills"])) return undefined;
  const skills: SiteSkill[] = [];
  const skipped: string[] = [];
  const names = new Set<string>();
  for (const [at, entry] of (index["skills"] as readonly unknown[]).entries()) {
    const skill = parseEntry(entry, limits);
    const key = typeof skill === "string" ? "" : skill.name.toLowerCase();
    if (typeof skill === "string") skipped.push(`entry ${at + 1} ${skill}`);
    else if (names.has(key)) skipped.push(`entry ${at + 1} has the name of an earlier one, '${skill.name}'`);
    else skills.push(skill);
    names.add(key);
  }
  return { skills, skipped };
}

/** A skill, or why the entry cannot be used. */
function parseEntry(entry: unknown, limits: FetchLimits): SiteSkill | string {
  if (!isRecord(entry)) return "is not an object";
  const { name, type, url, digest, files, version } = entry;
  // The name becomes the name of a folder.
  if (typeof name !== "string" || name.includes("/") || name.startsWith(".")) return "has no valid name";
  if (name.length > 64 || entryPathProblem(name, limits) !== undefined) return "has no valid name";
  if (Array.isArray(files) && url === undefined) {
    const listed = (files as readonly unknown[]).map((file) => parseFile(file, limits));
    const valid = listed.filter((file) => file !== undefined);
    if (valid.length !== listed.length)
      return `('${name}') lists a file with an unsafe path or a broken digest`;
    if (!valid.some((file) => file.path === "SKILL.md")) return `('${name}') lists no SKILL.md`;
    return { kind: "files", name, version: typeof version === "string" ? version : undefined, files: valid };
  }
  if (type !== "skill-md" && type !== "archive") return `('${name}') is of an unknown type`;
  if (typeof url !== "string" || url === "") return `('${name}') has no url`;
  if (typeof digest !== "string" || !DIGEST.test(digest)) return `('${name}') has no valid sha256 digest`;
  return { kind: "artifact", name, type, url, digest };
}

function parseFile(file: unknown, limits: FetchLimits): IndexedFile | undefined {
  const path = isRecord(file) ? file["path"] : file;
  const digest = isRecord(file) ? file["digest"] : undefined;
  if (typeof path !== "string" || entryPathProblem(path, limits) !== undefined) return undefined;
  if (digest === undefined) return { path, digest: undefined };
  return typeof digest === "string" && DIGEST.test(digest) ? { path, digest } : undefined;
}

/** What the skills of an index are made of, as text that changes with them; undefined where the index does not say. */
export function contentKey({ skills }: SkillIndex): string | undefined {
  const lines: string[] = [];
  for (const skill of skills) {
    const content = contentOf(skill);
    if (content === undefined) return undefined;
    lines.push(`${skill.name} ${content}`);
  }
  return lines.toSorted().join("\n");
}

function contentOf(skill: SiteSkill): string | undefined {
  if (skill.kind === "artifact") return skill.digest;
  if (skill.version !== undefined) return skill.version;
  const isKnown = skill.files.every(({ digest }) => digest !== undefined);
  return isKnown ? skill.files.map(({ path, digest }) => `${path} ${digest}`).join(" ") : undefined;
}
