import path from "node:path";
import { ALL_AGENTS, type ClientTraits, readingTraits } from "#agents";
import { isInside } from "#util";
import type { Catalog, Entry } from "../catalog/catalog.ts";
import type { Snapshot } from "../registry/registry.ts";
import type { Root } from "../roots/roots.ts";
import { describedFor } from "../skill/invocation.ts";
import type { Location, Skill } from "../skill/skill.ts";
import type { NotListed } from "./not-served.ts";

/** The skills that the lists of a client show, and those that they do not. */
export interface ListedSkills {
  readonly listed: readonly Entry[];
  /** These still load by name. */
  readonly notListed: readonly NotListed[];
}

/** The last steps of the pipeline, for lists: what authors keep from models, then what the client reads by itself. */
export function listedSkills(
  snapshot: Pick<Snapshot, "catalog" | "roots">,
  traits: ClientTraits,
  leaveOut: readonly Location[],
): ListedSkills {
  const isNative = nativeSkills(snapshot, traits, leaveOut);
  const listed: Entry[] = [];
  const notListed = snapshot.catalog.entries
    .filter((entry) => !isForModels(entry))
    .map((entry): NotListed => ({ kind: isKept(entry) ? "not-for-models" : "manual", entry }));
  for (const entry of modelEntries(snapshot.catalog)) {
    if (isNative(entry)) notListed.push({ kind: "native", entry });
    else listed.push(entry);
  }
  return { listed, notListed };
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

const EVERYWHERE: readonly Location[] = ["project", "user", "plugin"];

/** Whether any agent reads a skill by itself, so that its use is not known here. */
export function readByAgents(snapshot: Pick<Snapshot, "roots">): (entry: Entry) => boolean {
  const isRead = ALL_AGENTS.map((agent) => nativeSkills(snapshot, readingTraits(agent), EVERYWHERE));
  return (entry) => isRead.some((reads) => reads(entry));
}

function reads({ reads: { user, project }, readsAbove }: ClientTraits, root: Root): boolean {
  const { location, named, dir, standsFor, isAbove } = root;
  if (named || location === "plugin" || (isAbove === true && !readsAbove)) return false;
  const folders = location === "project" ? project : user;
  return folders.some(
    (folder) => folder === standsFor || dir.endsWith(`${path.sep}${path.normalize(folder)}`),
  );
}

/** Who is shown something. People see every skill, models those that their authors meant for models. */
export type Audience = "people" | "models";

/**
 * The skills that are listed for models, in listing order, with the descriptions that models read. All others still load by
 * their exact names. Returns the catalog's own list when neither an author nor a rule says anything.
 */
export function modelEntries({ entries }: Pick<Catalog, "entries">): readonly Entry[] {
  if (entries.every(({ skill, rule }) => skill.invocation === undefined && rule !== "manual")) return entries;
  return entries.filter(isForModels).map(asDescribed);
}

export function isForModels(entry: Entry): boolean {
  return !isKept(entry) && entry.rule !== "manual";
}

/** Whether its author keeps it from models. No rule of an operator changes that. */
function isKept({ skill }: Entry): boolean {
  return skill.invocation?.model === false;
}

function asDescribed(entry: Entry): Entry {
  const { skill } = entry;
  const description = describedFor(skill);
  return description === skill.description ? entry : { ...entry, skill: { ...skill, description } };
}
