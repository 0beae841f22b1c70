import { compareText, nameKey } from "#util/pure";
import type { Skill } from "../skill/skill.ts";
import { type Catalog, type Entry, lookUp, type NameIndex, qualifiedNames } from "./catalog.ts";

/** Shared by the many skills that shadow nothing; replaced, never written to. */
const NONE: Skill[] = [];

/**
 * Builds a catalog from every sighting of a skill, in order of priority (highest root first). A real folder seen
 * twice is one skill; of two skills with one identity the first is served and the other is shadowed.
 */
export function buildCatalog(sightings: readonly Skill[]): Catalog {
  const merging = createMerging();
  for (const skill of sightings) merging.add(skill);
  const drafts = inClaimingOrder(merging.drafts);
  const index = createIndex();
  for (const draft of drafts) index.add(draft);
  for (const draft of drafts) if (draft.alsoSeen !== NONE) index.addAliases(draft);
  for (const draft of drafts) draft.listedAs = shortestNameFor(draft, index.names);
  return { entries: merging.drafts.toSorted(inListingOrder), names: index.names };
}

/** An entry while it is being built; it leaves this file as a read-only `Entry`. */
interface EntryDraft {
  readonly skill: Skill;
  /** What its name is compared by. */
  readonly key: string;
  /** Of two skills that claim a name, the one with the lower rank gets it. */
  rank: number;
  listedAs: string;
  shadowed: Skill[];
  alsoSeen: Skill[];
}

function createMerging() {
  const drafts: EntryDraft[] = [];
  const byRealDir = new Map<string, EntryDraft>();
  const byIdentity = createByIdentity();
  return {
    drafts: drafts as readonly EntryDraft[],
    add(skill: Skill): void {
      const key = nameKey(skill.name);
      const sameIdentity = byIdentity.groupOf(skill);
      const same = byRealDir.get(skill.realDir);
      if (same !== undefined) {
        same.alsoSeen = withAdded(same.alsoSeen, skill);
        if (!sameIdentity.has(key)) sameIdentity.set(key, same);
        return;
      }
      const higher = sameIdentity.get(key);
      if (higher !== undefined) {
        higher.shadowed = withAdded(higher.shadowed, skill);
        return;
      }
      const draft: EntryDraft = { skill, key, rank: 0, listedAs: skill.name, shadowed: NONE, alsoSeen: NONE };
      byRealDir.set(skill.realDir, draft);
      sameIdentity.set(key, draft);
      drafts.push(draft);
    },
  };
}

/** Identity is (provider, plugin, name), case-insensitive. Skills that follow each other mostly differ in the name alone. */
function createByIdentity() {
  const groups = new Map<string, Map<string, EntryDraft>>();
  let last:
    | { readonly provider: string; readonly plugin: string; readonly group: Map<string, EntryDraft> }
    | undefined;
  return {
    /** The skills of one provider and plugin, by the keys of their names. */
    groupOf({ provider, plugin }: Skill): Map<string, EntryDraft> {
      const pluginName = plugin?.name ?? "";
      if (last?.provider === provider && last.plugin === pluginName) return last.group;
      const key = nameKey(`${provider}\0${pluginName}`);
      const group = groups.get(key) ?? new Map<string, EntryDraft>();
      groups.set(key, group);
      last = { provider, plugin: pluginName, group };
      return group;
    },
  };
}

function withAdded(skills: Skill[], skill: Skill): Skill[] {
  if (skills === NONE) return [skill];
  skills.push(skill);
  return skills;
}

/** Plain skills first: a plugin skill never shadows a plain one, and the first to claim a name keeps it. */
function inClaimingOrder(drafts: readonly EntryDraft[]): readonly EntryDraft[] {
  const ofPlugins = drafts.filter(({ skill }) => skill.plugin !== undefined);
  if (ofPlugins.length === 0) return drafts;
  return [...drafts.filter(({ skill }) => skill.plugin === undefined), ...ofPlugins];
}

function createIndex() {
  const byName = new Map<string, EntryDraft[]>();
  const aliases = new Map<string, EntryDraft>();
  let count = 0;
  return {
    names: {
      byName,
      ofQualified: (key) => claimantOf(key, byName) ?? aliases.get(key),
    } satisfies NameIndex as NameIndex,
    add(draft: EntryDraft): void {
      draft.rank = count++;
      const sameName = byName.get(draft.key);
      if (sameName === undefined) byName.set(draft.key, [draft]);
      else sameName.push(draft);
    },
    /** A folder linked from `.claude` into `.agents` still answers to `claude:name`. */
    addAliases(draft: EntryDraft): void {
      for (const skill of draft.alsoSeen) {
        for (const name of qualifiedNames(skill)) {
          const key = nameKey(name);
          if (!aliases.has(key)) aliases.set(key, draft);
        }
      }
    },
  };
}

/** The first of those that a qualified name could mean. Where the prefix ends is not known: a name may contain a colon too. */
function claimantOf(key: string, byName: ReadonlyMap<string, readonly EntryDraft[]>): EntryDraft | undefined {
  let first: EntryDraft | undefined;
  for (let colon = key.indexOf(":"); colon >= 0; colon = key.indexOf(":", colon + 1)) {
    const found = byName.get(key.slice(colon + 1))?.find(({ skill }) => claims(skill, key));
    if (found !== undefined && (first === undefined || found.rank < first.rank)) first = found;
  }
  return first;
}

function claims(skill: Skill, key: string): boolean {
  return qualifiedNames(skill).some((name) => nameKey(name) === key);
}

function shortestNameFor(draft: EntryDraft, names: NameIndex): string {
  const { skill, key } = draft;
  // Most skills are the only ones of their name, and then there is nothing to look up.
  const isOnlyOne = names.byName.get(key)?.length === 1 && names.ofQualified(key) === undefined;
  if (skill.plugin === undefined && isOnlyOne) return skill.name;
  const candidates =
    skill.plugin === undefined ? [skill.name, ...qualifiedNames(skill)] : qualifiedNames(skill);
  const loads = (name: string) => {
    const result = lookUp(names, name);
    return result.kind === "found" && result.entry === draft;
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
  if (skill.location === "user") return 2;
  return skill.location === "repo" ? 3 : 4;
}
