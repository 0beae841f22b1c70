import path from "node:path";
import { type LockedSkill, lockedSkills, placeOf, readLock, targetOf } from "#install";
import type { Places, ReviewCandidate } from "#skills";
import { type Location, pluginId, type RepoPlace } from "#skills";
import type { Log } from "#util";
import { Refusal } from "#util/pure";
import { originOfUrl, type RuledSource, type SourceKind } from "./policy.ts";

/** Where installed skills came from, by their folders. */
export interface InstalledOrigins {
  /** By the user's own lock. */
  readonly user: ReadonlyMap<string, string>;
  /** By the lock of the project, which anybody may have written. */
  readonly project: ReadonlyMap<string, string>;
}

export const NO_ORIGINS: InstalledOrigins = { user: new Map(), project: new Map() };

const KINDS: Readonly<Record<Location, SourceKind>> = {
  project: "project",
  user: "user",
  plugin: "plugins",
  repo: "repos",
};

/** Everything that a rule can be about. */
export function sourceOf(candidate: ReviewCandidate, installed: InstalledOrigins): RuledSource {
  if (candidate.kind === "library") return librarySource(candidate);
  const { skill } = candidate;
  const folders = [
    ...new Set([skill.dir, skill.realDir, ...(skill.linkedFile === undefined ? [] : [skill.linkedFile])]),
  ];
  const plugin = skill.plugin === undefined ? [] : [`plugin:${pluginId(skill.plugin)}`];
  const inRepo = skill.repo && repoSource(skill.repo);
  const known = (origins: ReadonlyMap<string, string>): readonly string[] =>
    folders.flatMap((folder) => origins.get(folder) ?? []);
  return {
    origins: [...(inRepo?.origins ?? []), ...plugin, ...known(installed.user)],
    claims: known(installed.project),
    places: inRepo?.places ?? folders,
    kind: KINDS[skill.location],
  };
}

function librarySource({ file, repo }: ReviewCandidate & { readonly kind: "library" }): RuledSource {
  const inRepo = repo && repoSource(repo);
  return {
    origins: inRepo?.origins ?? [],
    claims: [],
    places: inRepo?.places ?? [...new Set([file.file, file.realFile])],
    kind: repo === undefined ? KINDS[file.location] : "repos",
  };
}

function repoSource({ url, path: inside }: RepoPlace): Pick<RuledSource, "origins" | "places"> {
  const source = originOfUrl(url);
  return "place" in source
    ? { origins: [], places: [path.posix.join(source.place, inside)] }
    : { origins: [path.posix.join(source.origin, inside)], places: [] };
}

/** What an approval is for: the same place is the same skill, whatever it holds. */
export function keyOf(candidate: ReviewCandidate): string {
  if (candidate.kind === "skill") {
    const { repo, realDir } = candidate.skill;
    return repo === undefined ? realDir : `${repo.url}#${repo.path}`;
  }
  const { file, repo } = candidate;
  return repo === undefined ? file.realFile : `${repo.url}#${repo.path}`;
}

/** Reads both locks. Damaged ones are reported by the commands that need them; here they say nothing. */
export async function readInstalledOrigins(
  { cwd, home, moved }: Places,
  log: Log,
): Promise<InstalledOrigins> {
  const places = { cwd, home, moved, environment: process.env, log };
  const read = async (scope: "user" | "project"): Promise<ReadonlyMap<string, string>> => {
    try {
      const target = await targetOf(scope, places);
      const locked = lockedSkills(await readLock(target.lock));
      return new Map(
        locked.flatMap((skill) => {
          const origin = lockedOrigin(skill);
          return origin === undefined ? [] : [[placeOf(skill, target), origin] as const];
        }),
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return new Map();
    }
  };
  const [user, project] = await Promise.all([read("user"), read("project")]);
  return { user, project };
}

/** As rules write it; undefined for a folder, whose own rules count. */
function lockedOrigin({ source, sourceType, sourceUrl, skillPath, own }: LockedSkill): string | undefined {
  const inside = skillPath === undefined ? (own?.path ?? "") : path.posix.dirname(skillPath);
  const below = (origin: string): string => path.posix.join(origin, inside);
  if (sourceType === "github") return below(`github.com/${source}`);
  if (sourceType === "npm" || source.startsWith("npm:")) return source.replace(/(?<=.)@[^/@]*$/, "");
  if (sourceType === "local" || sourceType === "node_modules") return undefined;
  const found = originOfUrl(sourceUrl ?? source);
  return "origin" in found ? (sourceType.startsWith("git") ? below(found.origin) : found.origin) : undefined;
}
