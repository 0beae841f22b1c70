import { nameKey } from "../skill/names.ts";
import type { Skill } from "../skill/skill.ts";
import { type Catalog, type Entry, identityOf, type NameIndex, qualifiedNames } from "./catalog.ts";
import { lookUp } from "./resolve-name.ts";

/** Shared by the many skills that have no twin; replaced, never written to. */
const NONE: Skill[] = [];

/**
 * Builds a catalog from every sighting of a skill, in order of priority (highest root first). A real folder seen
 * twice is one skill; of two skills with one identity the first is served and the other is shadowed.
 */
export function buildCatalog(sightings: readonly Skill[]): Catalog {
  const drafts = mergeSightings(sightings);
  const names = indexNames(drafts);
  for (const draft of drafts) draft.listedAs = shortestNameFor(draft, names);
  return { entries: drafts.sort(inListingOrder), names };
}

/** An entry while it is being built; it leaves this file as a read-only `Entry`. */
interface Draft {
  readonly skill: Skill;
  listedAs: string;
  shadowed: Skill[];
  alsoSeen: Skill[];
}

function mergeSightings(sightings: readonly Skill[]): Draft[] {
  const byRealDir = new Map<string, Draft>();
  const byIdentity = new Map<string, Draft>();
  const drafts: Draft[] = [];
  for (const skill of sightings) {
    const same = byRealDir.get(skill.realDir);
    if (same !== undefined) {
      same.alsoSeen = withAdded(same.alsoSeen, skill);
      if (!byIdentity.has(identityOf(skill))) byIdentity.set(identityOf(skill), same);
      continue;
    }
    const identity = identityOf(skill);
    const higher = byIdentity.get(identity);
    if (higher !== undefined) {
      higher.shadowed = withAdded(higher.shadowed, skill);
      continue;
    }
    const draft: Draft = { skill, listedAs: skill.name, shadowed: NONE, alsoSeen: NONE };
    byRealDir.set(skill.realDir, draft);
    byIdentity.set(identity, draft);
    drafts.push(draft);
  }
  return drafts;
}

function withAdded(twins: Skill[], skill: Skill): Skill[] {
  if (twins === NONE) return [skill];
  twins.push(skill);
  return twins;
}

function indexNames(drafts: readonly Draft[]): NameIndex {
  const byName = new Map<string, Entry[]>();
  const byQualifiedName = new Map<string, Entry>();
  // Plain skills first: a plugin skill never hides a plain one, and the first to claim a name keeps it.
  const plainFirst = [
    ...drafts.filter((draft) => draft.skill.plugin === undefined),
    ...drafts.filter((draft) => draft.skill.plugin !== undefined),
  ];
  for (const draft of plainFirst) {
    const key = nameKey(draft.skill.name);
    const sameName = byName.get(key);
    if (sameName === undefined) byName.set(key, [draft]);
    else sameName.push(draft);
    claim(byQualifiedName, draft.skill, draft);
  }
  // A folder linked from `.claude` into `.agents` still answers to `claude:name`.
  for (const draft of plainFirst) for (const alias of draft.alsoSeen) claim(byQualifiedName, alias, draft);
  return { byName, byQualifiedName };
}

function claim(index: Map<string, Entry>, skill: Skill, entry: Entry): void {
  for (const name of qualifiedNames(skill)) {
    const key = nameKey(name);
    if (!index.has(key)) index.set(key, entry);
  }
}

function shortestNameFor(entry: Entry, names: NameIndex): string {
  const { skill } = entry;
  const candidates =
    skill.plugin === undefined ? [skill.name, ...qualifiedNames(skill)] : qualifiedNames(skill);
  const loads = (name: string) => {
    const result = lookUp(names, name);
    return result.kind === "found" && result.entry === entry;
  };
  return candidates.find(loads) ?? candidates[candidates.length - 1] ?? skill.name;
}

function inListingOrder(a: Entry, b: Entry): number {
  return listingGroup(a.skill) - listingGroup(b.skill) || compareText(a.listedAs, b.listedAs);
}

/** Nearest to the user's intent first, so that a list cut short loses the least. */
function listingGroup(skill: Skill): number {
  if (skill.provider === "file") return 0;
  if (skill.location === "project") return 1;
  return skill.location === "user" ? 2 : 3;
}

/** By code unit: the same order on every machine and in every locale. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
