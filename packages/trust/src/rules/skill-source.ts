import { realpathSync } from "node:fs";
import path from "node:path";
import { lockedIn } from "#install";
import { type Location, type Places, pluginId, type RepoPlace, type ReviewCandidate } from "#skills";
import type { Log } from "#util";
import { Refusal } from "#util/pure";
import { originOfUrl, type RuledSource, type SourceKind } from "./policy.ts";

/** Where installed skills came from, by their folders. */
export interface InstalledOrigins {
  /** By the user's own lock. */
  readonly user: ReadonlyMap<string, string>;
  /** By the lock of the project, which any author of the project may have written. */
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
  const { plugin: owner } = skill;
  const installedPackage = owner?.package;
  const plugin = owner === undefined || installedPackage !== undefined ? [] : [`plugin:${pluginId(owner)}`];
  // Anybody who writes to a project can put a package of any name into its node_modules.
  const packages = installedPackage === undefined ? [] : Object.values(installedPackage);
  const inRepo = skill.repo && repoSource(skill.repo);
  const known = (origins: ReadonlyMap<string, string>): readonly string[] =>
    folders.flatMap((folder) => origins.get(folder) ?? []);
  return {
    origins: [...(inRepo?.origins ?? []), ...plugin, ...known(installed.user)],
    claims: [...known(installed.project), ...packages.map((name) => `npm:${name}`)],
    places: inRepo?.places ?? folders,
    kind: installedPackage === undefined ? KINDS[skill.location] : "npm",
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
    ? { origins: [], places: namesOf(source.place).map((place) => path.posix.join(place, inside)) }
    : { origins: [path.posix.join(source.origin, inside)], places: [] };
}

/** A folder as it is written, and after links. */
function namesOf(folder: string): readonly string[] {
  try {
    return [...new Set([folder, realpathSync.native(folder)])];
  } catch {
    return [folder];
  }
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
      return new Map(
        (await lockedIn(scope, places)).flatMap(({ locked, place }) => {
          const { source, sourceType, sourceUrl, skillPath, own } = locked;
          const inside = skillPath === undefined ? (own?.path ?? "") : path.posix.dirname(skillPath);
          const below = (origin: string): readonly (readonly [string, string])[] => [
            [place, path.posix.join(origin, inside)],
          ];
          if (sourceType === "github") return below(`github.com/${source}`);
          if (sourceType === "npm" || source.startsWith("npm:"))
            return [[place, source.replace(/(?<=.)@[^/@]*$/, "")]];
          // Of a folder, the rules about places count.
          if (sourceType === "local" || sourceType === "node_modules") return [];
          const found = originOfUrl(sourceUrl ?? source);
          if (!("origin" in found)) return [];
          return sourceType.startsWith("git") ? below(found.origin) : [[place, found.origin]];
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
