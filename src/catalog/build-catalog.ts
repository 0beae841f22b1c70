import { nameKey } from "../skill/names.ts";
import type { Skill } from "../skill/skill.ts";
import { type Catalog, type Entry, identityOf, type NameIndex, qualifiedNames } from "./catalog.ts";
import { lookUp } from "./resolve-name.ts";
import { runToEnd, type Steps } from "./search/steps.ts";
import { sortedInSteps } from "./sort-in-steps.ts";

/** Shared by the many skills that have no twin; replaced, never written to. */
const NONE: Skill[] = [];

/** So many skills at a time take less than a millisecond. */
const AT_ONCE = 256;

/**
 * Builds a catalog from every sighting of a skill, in order of priority (highest root first). A real folder seen
 * twice is one skill; of two skills with one identity the first is served and the other is shadowed.
 */
export function buildCatalog(sightings: readonly Skill[]): Catalog {
  return runToEnd(catalogSteps(sightings));
}

/** The same in steps, because a hundred thousand skills take longer than anyone else should wait. */
export function* catalogSteps(sightings: readonly Skill[]): Steps<Catalog> {
  const drafts = yield* mergeSightings(sightings);
  const names = yield* indexNames(drafts);
  for (const [index, draft] of drafts.entries()) {
    draft.listedAs = shortestNameFor(draft, names);
    if (index % AT_ONCE === AT_ONCE - 1) yield 1;
  }
  return { entries: yield* sortedInSteps(drafts, inListingOrder), names };
}

/** An entry while it is being built; it leaves this file as a read-only `Entry`. */
interface Draft {
  readonly skill: Skill;
  listedAs: string;
  shadowed: Skill[];
  alsoSeen: Skill[];
}

function* mergeSightings(sightings: readonly Skill[]): Steps<Draft[]> {
  const byRealDir = new Map<string, Draft>();
  const byIdentity = new Map<string, Draft>();
  const drafts: Draft[] = [];
  for (const [index, skill] of sightings.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) yield 1;
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

function* indexNames(drafts: readonly Draft[]): Steps<NameIndex> {
  const byName = new Map<string, Entry[]>();
  const byQualifiedName = new Map<string, Entry>();
  // Plain skills first: a plugin skill never hides a plain one, and the first to claim a name keeps it.
  const plain = drafts.filter((draft) => draft.skill.plugin === undefined);
  const ofPlugins =
    plain.length === drafts.length ? [] : drafts.filter((draft) => draft.skill.plugin !== undefined);
  for (const group of [plain, ofPlugins]) {
    for (const [index, draft] of group.entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) yield 1;
      const key = nameKey(draft.skill.name);
      const sameName = byName.get(key);
      if (sameName === undefined) byName.set(key, [draft]);
      else sameName.push(draft);
      claim(byQualifiedName, draft.skill, draft);
    }
  }
  // A folder linked from `.claude` into `.agents` still answers to `claude:name`.
  for (const group of [plain, ofPlugins]) {
    for (const draft of group) for (const alias of draft.alsoSeen) claim(byQualifiedName, alias, draft);
  }
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
  if (skill.plugin === undefined && isOnlyOneOfItsName(entry, names)) return skill.name;
  const candidates =
    skill.plugin === undefined ? [skill.name, ...qualifiedNames(skill)] : qualifiedNames(skill);
  const loads = (name: string) => {
    const result = lookUp(names, name);
    return result.kind === "found" && result.entry === entry;
  };
  return candidates.find(loads) ?? candidates[candidates.length - 1] ?? skill.name;
}

/** Most skills are, and then there is nothing to look up. */
function isOnlyOneOfItsName({ skill }: Entry, { byName, byQualifiedName }: NameIndex): boolean {
  const key = nameKey(skill.name);
  return byName.get(key)?.length === 1 && !byQualifiedName.has(key);
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
