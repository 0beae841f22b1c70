import path from "node:path";
import type { ClientTraits } from "#agents";
import { isInside } from "#util";
import type { Entry } from "../catalog/catalog.ts";
import type { LikelyUse } from "../describe/likely-use.ts";
import { createTopicMatch } from "../describe/project-topics.ts";
import type { Snapshot } from "../registry/registry.ts";
import type { Root } from "../roots/roots.ts";
import type { Location, Skill } from "../skill/skill.ts";
import { modelEntries } from "./model-entries.ts";

/** The skills that a client is shown, and those that it has already. */
export interface ListedSkills {
  readonly listed: readonly Entry[];
  /** Skills that the client reads from the disk by itself. They still load by name. */
  readonly native: readonly Entry[];
}

/** Splits the skills of a snapshot that are meant for models. */
export function listedSkills(
  snapshot: Pick<Snapshot, "catalog" | "roots">,
  traits: ClientTraits,
  leaveOut: readonly Location[],
): ListedSkills {
  const isNative = nativeSkills(snapshot, traits, leaveOut);
  const listed: Entry[] = [];
  const native: Entry[] = [];
  for (const entry of modelEntries(snapshot.catalog)) (isNative(entry) ? native : listed).push(entry);
  return { listed, native };
}

/**
 * Whether a client reads a skill by itself. `leaveOut` are the locations where it has the same folders as this server. A
 * folder that was named on the command line is never native: someone asked for it.
 */
export function nativeSkills(
  { roots }: Pick<Snapshot, "roots">,
  traits: ClientTraits,
  leaveOut: readonly Location[],
): (entry: Entry) => boolean {
  const folders = roots
    .filter((root) => leaveOut.includes(root.location) && reads(traits, root))
    .map(({ dir }) => dir);
  const plugins = leaveOut.includes("plugin") ? traits.readsPlugins : [];
  if (folders.length === 0 && plugins.length === 0) return () => false;
  const isRead = ({ dir, plugin, provider }: Skill): boolean =>
    plugin === undefined ? folders.some((folder) => isInside(folder, dir)) : plugins.includes(provider);
  return ({ skill, alsoSeen }) => skill.provider !== "file" && [skill, ...alsoSeen].some(isRead);
}

function reads({ reads: { user, project }, readsAbove }: ClientTraits, root: Root): boolean {
  const { location, named, dir, standsFor, isAbove } = root;
  if (named || location === "plugin" || (isAbove === true && !readsAbove)) return false;
  const folders = location === "project" ? project : user;
  return folders.some(
    (folder) => folder === standsFor || dir.endsWith(`${path.sep}${path.normalize(folder)}`),
  );
}

/** Skills in the order in which a list that is cut shows them. */
export interface OrderedSkills {
  readonly entries: readonly Entry[];
  /** How many come first for each reason, in this order; the others follow. */
  readonly first: { readonly near: number; readonly recent: number; readonly fitting: number };
}

/**
 * This project's skills first, then those that were used lately, then those that fit what the project is made of, by name
 * before by description, then all others; each in the order of the catalog.
 */
export function byLikelyUse(entries: readonly Entry[], { recent, project }: LikelyUse): OrderedSkills {
  const matchOf = createTopicMatch(project);
  const near: Entry[] = [];
  const used: Entry[] = [];
  /** By how well they fit. */
  const others: [Entry[], Entry[], Entry[]] = [[], [], []];
  for (const entry of entries) {
    const { skill, listedAs } = entry;
    if (skill.provider === "file" || skill.location === "project") near.push(entry);
    else if (recent.has(listedAs)) used.push(entry);
    else others[matchOf(listedAs, skill.description)].push(entry);
  }
  const [none, byDescription, byName] = others;
  return {
    entries: [...near, ...used, ...byName, ...byDescription, ...none],
    first: { near: near.length, recent: used.length, fitting: byName.length + byDescription.length },
  };
}
