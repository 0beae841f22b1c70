import { nameKey, Refusal, suggestNames } from "#util/pure";
import { pathPartIn, pluginId, type Skill } from "../skill/skill.ts";
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
}

/** Every skill that is served, as one immutable value. */
export interface Catalog {
  /** In listing order: named folders first, then project, user, repository and plugin skills, each by name. */
  readonly entries: readonly Entry[];
  readonly names: NameIndex;
}

export interface NameIndex {
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

/** What a client sent, safe to print on one line. */
function printable(text: string): string {
  const oneLine = text.replace(/[\p{Cc}\u2028\u2029]/gu, "�");
  return oneLine.length > 200 ? `${oneLine.slice(0, 200)}…` : oneLine;
}
