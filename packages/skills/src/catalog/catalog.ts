import { compareText, LONGEST_NAME, nameKey, Refusal, suggestNames } from "#util/pure";
import { pathPartIn, pluginId, type Skill } from "../skill/skill.ts";
import type { ListRule } from "../visibility/list-rules.ts";
import { type Audience, isForModels } from "../visibility/listed-skills.ts";

/** A skill that is served, with the skills it shadows. */
export interface Entry {
  readonly skill: Skill;
  /** The shortest name that loads it: what every listing shows. */
  readonly listedAs: string;
  /** Skills of the same identity in lower roots: never served, never silently lost. */
  readonly shadowed: readonly Skill[];
  /** Other sightings of its real folder, through other roots. */
  readonly alsoSeen: readonly Skill[];
  /** How the operator wants it to be listed; absent: as usual, and in a catalog for every client. */
  readonly rule?: ListRule;
}

/** Every skill that is served, as one immutable value. */
export interface Catalog {
  /** In listing order: named folders first, then project, user, repository and plugin skills, each by name. */
  readonly entries: readonly Entry[];
  readonly names: NameIndex;
}

interface NameIndex {
  /** By the skill's own name, plain skills by root priority and then plugin skills. */
  readonly byName: ReadonlyMap<string, readonly Entry[]>;
  /** By the key of `codex:pdf`, `example-skills:pdf` or `claude:example-skills:pdf`. */
  readonly ofQualified: (key: string) => Entry | undefined;
}

/**
 * The names that point at a skill and at no other of the same identity, shortest first. The first one is what
 * an ambiguity error offers.
 */
export function qualifiedNames(skill: Pick<Skill, "name" | "plugin" | "provider">): readonly string[] {
  const { name, plugin, provider } = skill;
  if (plugin === undefined) return [`${provider}:${name}`];
  return [
    `${plugin.name}:${name}`,
    `${provider}:${plugin.name}:${name}`,
    `${provider}:${pluginId(plugin)}:${name}`,
  ];
}

/** The name that no other skill has, however many have its short name. */
export function fullName(skill: Pick<Skill, "name" | "plugin" | "provider">): string {
  return qualifiedNames(skill).at(-1) ?? skill.name;
}

/** Identity is (provider, plugin, name), case-insensitive. */
export function identityOf(skill: Skill): string {
  const { name, plugin, provider } = skill;
  return nameKey(`${provider}\0${plugin?.name ?? ""}\0${name}`);
}

type Lookup =
  | { readonly kind: "found"; readonly entry: Entry }
  | { readonly kind: "ambiguous"; readonly candidates: readonly Entry[] }
  | { readonly kind: "unknown" };

/** Providers whose roots form one list, in this order: the first match wins instead of being ambiguous. */
const FIRST_MATCH_WINS: ReadonlySet<string> = new Set(["file", "agents"]);

/** The entry a typed name loads, or a `Refusal` that says why none does, with suggestions for whoever asks. */
export function resolveName(catalog: Catalog, typed: string, audience: Audience = "people"): Entry {
  if (typed.length > LONGEST_NAME) {
    const detail = { code: "unknown-skill", name: typed.slice(0, LONGEST_NAME), suggestions: [] } as const;
    throw new Refusal(`Skill '${printable(typed)}' not found.`, detail);
  }
  const name = typed.trim();
  const pathPart = pathPartIn(name);
  if (pathPart !== undefined) {
    throw new Refusal(
      `'${printable(name)}' is not a skill name: it contains ${pathPart}. Skills are loaded by name, never by path.`,
      { code: "invalid-name", name },
    );
  }
  const result = lookUp(catalog.names, name);
  if (result.kind === "found") return result.entry;
  if (result.kind === "ambiguous") {
    const candidates = result.candidates.map((entry) => entry.listedAs);
    throw new Refusal(
      `Skill name '${printable(name)}' is ambiguous: it matches ${candidates.join(", ")}. ` +
        "Use one of these full names instead.",
      { code: "ambiguous-skill", name, candidates },
    );
  }
  const suggestions = suggestNames(name, namesIn(catalog, audience));
  throw new Refusal(`Skill '${printable(name)}' not found.`, { code: "unknown-skill", name, suggestions });
}

/**
 * In this order: an exact qualified name; then named folders and `.agents` by root priority; then the
 * other providers, where two hits are ambiguous; then plugins, by the same rule.
 */
export function lookUp(names: NameIndex, typed: string): Lookup {
  // Each colon of a name is one more look-up.
  if (typed.length > LONGEST_NAME) return { kind: "unknown" };
  const key = nameKey(typed);
  const qualified = names.ofQualified(key);
  if (qualified !== undefined) return { kind: "found", entry: qualified };

  const sameName = names.byName.get(key) ?? [];
  const ordered = sameName.find((entry) => isPlain(entry) && FIRST_MATCH_WINS.has(entry.skill.provider));
  if (ordered !== undefined) return { kind: "found", entry: ordered };

  const plain = sameName.filter(isPlain);
  if (plain.length > 0) return oneOrAmbiguous(plain);
  if (sameName.length > 0) return oneOrAmbiguous(sameName);
  return pluginSkillOfProvider(names, key);
}

/** All that a name may mean: one, several where it is ambiguous, or none. */
export function entriesNamed(names: NameIndex, typed: string): readonly Entry[] {
  const result = lookUp(names, typed);
  if (result.kind === "unknown") return [];
  return result.kind === "found" ? [result.entry] : result.candidates;
}

/** How exactly a name means what it leads to, by the same order: 0 is the most. Undefined where it leads nowhere. */
export function exactnessOf(names: NameIndex, typed: string): number | undefined {
  const [entry] = entriesNamed(names, typed);
  if (entry === undefined) return undefined;
  if (names.ofQualified(nameKey(typed)) === entry) return 0;
  if (!isPlain(entry)) return 4;
  const ordered = [...FIRST_MATCH_WINS].indexOf(entry.skill.provider);
  return ordered < 0 ? 3 : 1 + ordered;
}

/** `claude:pdf`, where the only `pdf` of that provider comes from a plugin. */
function pluginSkillOfProvider(names: NameIndex, key: string): Lookup {
  const colon = key.indexOf(":");
  if (colon < 0) return { kind: "unknown" };
  const provider = key.slice(0, colon);
  const rest = names.byName.get(key.slice(colon + 1)) ?? [];
  const ofProvider = rest.filter((entry) => !isPlain(entry) && entry.skill.provider === provider);
  return ofProvider.length === 0 ? { kind: "unknown" } : oneOrAmbiguous(ofProvider);
}

function oneOrAmbiguous(entries: readonly Entry[]): Lookup {
  const [only, ...others] = entries;
  if (only !== undefined && others.length === 0) return { kind: "found", entry: only };
  return { kind: "ambiguous", candidates: entries };
}

function isPlain(entry: Entry): boolean {
  return entry.skill.plugin === undefined;
}

function* namesIn(catalog: Catalog, audience: Audience): Iterable<string> {
  for (const entry of catalog.entries) {
    if (audience === "people" || isForModels(entry)) yield entry.listedAs;
  }
}

const LONGEST_SHOWN = 200;

/** What a client sent, safe to print on one line. */
function printable(text: string): string {
  const oneLine = text.slice(0, LONGEST_SHOWN).replace(/[\p{Cc}\u2028\u2029]/gu, "�");
  return text.length > LONGEST_SHOWN ? `${oneLine}…` : oneLine;
}

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
