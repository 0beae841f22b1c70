import path from "node:path";
import type { Entry } from "../../catalog/catalog.ts";
import { modelEntries } from "../../catalog/model-entries.ts";
import type { Snapshot } from "../../registry/registry.ts";
import type { Location } from "../../skill/skill.ts";
import { isInside } from "../../system/files/inside.ts";
import type { ClientProfile } from "./profiles.ts";

/** The skills that a client is shown, and those that it has already. */
export interface ListedSkills {
  readonly listed: readonly Entry[];
  /** Skills that the client reads from the disk by itself. They still load by name. */
  readonly native: readonly Entry[];
}

/** Splits the skills of a snapshot that are meant for models; `leaveOut` are the locations where a skill that the client reads itself is left out. */
export function listedSkills(
  { catalog, roots }: Pick<Snapshot, "catalog" | "roots">,
  profile: ClientProfile,
  leaveOut: readonly Location[],
): ListedSkills {
  const folders = roots
    .filter(
      ({ location, named, dir }) => !named && leaveOut.includes(location) && reads(profile, location, dir),
    )
    .map(({ dir }) => dir);
  const plugins = leaveOut.includes("plugin") ? profile.readsPlugins : [];
  const entries = modelEntries(catalog);
  if (folders.length === 0 && plugins.length === 0) return { listed: entries, native: [] };
  const listed: Entry[] = [];
  const native: Entry[] = [];
  for (const entry of entries) (isNative(entry, folders, plugins) ? native : listed).push(entry);
  return { listed, native };
}

function reads({ reads: { home, project } }: ClientProfile, location: Location, dir: string): boolean {
  const folders = location === "project" ? project : location === "user" ? home : [];
  return folders.some((folder) => dir.endsWith(`${path.sep}${path.normalize(folder)}`));
}

/** A folder that was named on the command line is shown: someone asked for it. */
function isNative(
  { skill, alsoSeen }: Entry,
  folders: readonly string[],
  plugins: readonly string[],
): boolean {
  if (skill.provider === "file") return false;
  return [skill, ...alsoSeen].some(({ dir, plugin, provider }) =>
    plugin === undefined ? folders.some((folder) => isInside(folder, dir)) : plugins.includes(provider),
  );
}

/** This project's skills first, then those that were used lately, then all others, each in the order of the catalog. */
export function byLikelyUse(entries: readonly Entry[], recent: ReadonlySet<string>): readonly Entry[] {
  const groups: [Entry[], Entry[], Entry[]] = [[], [], []];
  for (const entry of entries) {
    const { skill, listedAs } = entry;
    const isNear = skill.provider === "file" || skill.location === "project";
    groups[isNear ? 0 : recent.has(listedAs) ? 1 : 2].push(entry);
  }
  return groups.flat();
}
