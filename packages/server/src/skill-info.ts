import path from "node:path";
import { findMeantSkill, type LibrarySkillInfo, librarySkillInfo } from "#library";
import type { Diagnostic, Entry, Skill, Snapshot } from "#skills";
import {
  hostFieldsIn,
  listSkillFiles,
  POLICY_FOLDER,
  provenanceOf,
  readSkill,
  repoProvenance,
  resolveName,
  whyNotServed,
} from "#skills";
import { Refusal, suggestNames } from "#util/pure";
import { estimateTokens } from "./mcp/describe/estimate-tokens.ts";

/** A file that comes with a skill. */
interface Resource {
  /** Below the skill's folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
}

export interface SkillInfo {
  readonly kind: "skill";
  readonly entry: Entry;
  readonly enabled: boolean;
  readonly resources: readonly Resource[];
  /** The folder has more files than are listed. */
  readonly resourcesCut: boolean;
  /** Fields of its front matter that hosts act on and skills-mcp only shows. */
  readonly hostFields: Readonly<Record<string, unknown>>;
  readonly diagnostics: readonly Diagnostic[];
  /** What its text costs a model that loads it, roughly; absent if it cannot be read. */
  readonly tokens?: number;
  /** Of all files together, as `sha256:` and 64 digits; absent if they cannot be read or are too many. */
  readonly digest?: string;
  readonly provenance: ReturnType<typeof provenanceOf>;
}

/** Everything that is known of one skill of any kind. */
export type AnyInfo = SkillInfo | LibrarySkillInfo;

/** Finds a skill by name, else by its library path. */
export async function anyInfo(snapshot: Snapshot, name: string): Promise<AnyInfo> {
  try {
    return await infoOfEntry(snapshot, findAnywhere(snapshot, name));
  } catch (error) {
    const skill = findMeantSkill(snapshot.library, name);
    if (skill !== undefined) return librarySkillInfo(snapshot, skill);
    throw whyNotServed(error, snapshot, name.trim()) ?? withLibrarySuggestions(error, snapshot, name);
  }
}

/** Of one skill, served or disabled. */
export async function infoOfEntry(
  snapshot: Snapshot,
  { entry, enabled }: { readonly entry: Entry; readonly enabled: boolean },
): Promise<SkillInfo> {
  const { skill, shadowed } = entry;
  const folders = new Set([skill, ...shadowed].flatMap(({ dir }) => [dir, path.join(dir, POLICY_FOLDER)]));
  const [{ files, complete }, loaded, digest] = await Promise.all([
    listSkillFiles(skill),
    readSkill(skill),
    digestOfSkill(skill),
  ]);
  const beside = files.filter(({ names }) => names.length > 1 || names[0] !== skill.fileName);
  return {
    kind: "skill",
    entry,
    enabled,
    resources: beside
      .map(({ names, size }) => ({ path: names.join("/"), bytes: size }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    resourcesCut: !complete,
    hostFields: loaded.ok ? hostFieldsIn(loaded.skill.fields) : {},
    diagnostics: snapshot.diagnostics.filter((diagnostic) => folders.has(path.dirname(diagnostic.file))),
    ...(loaded.ok ? { tokens: estimateTokens(loaded.text) } : {}),
    ...(digest === undefined ? {} : { digest }),
    provenance: loaded.ok ? provenanceOf(skill, loaded.text) : repoProvenance(skill.repo),
  };
}

/** What an approval of the skill would be for. */
async function digestOfSkill(skill: Skill): Promise<string | undefined> {
  // Loaded on demand: only who looks at one skill wants it.
  const { readCandidate } = await import("#trust");
  try {
    return `sha256:${(await readCandidate({ kind: "skill", skill })).digest}`;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function findAnywhere(snapshot: Snapshot, name: string): { entry: Entry; enabled: boolean } {
  try {
    return { entry: resolveName(snapshot.catalog, name), enabled: true };
  } catch (error) {
    if (!(error instanceof Refusal) || error.detail.code !== "unknown-skill") throw error;
    try {
      return { entry: resolveName(snapshot.disabled, name), enabled: false };
    } catch {
      // In neither catalog: suggest served skills.
      throw error;
    }
  }
}

/** Adds similar library paths to the suggestions. */
function withLibrarySuggestions(error: unknown, { catalog, library }: Snapshot, name: string): unknown {
  if (!(error instanceof Refusal) || library.skills.size === 0) return error;
  const { code } = error.detail;
  if (code !== "unknown-skill" && code !== "invalid-name") return error;
  const known = [...catalog.entries.map((entry) => entry.listedAs), ...library.skills.keys()];
  const suggestions = suggestNames(name, known, 3);
  return new Refusal(`Skill '${name}' not found.`, { code: "unknown-skill", name, suggestions });
}
