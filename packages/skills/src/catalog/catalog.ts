import { nameKey } from "#util/pure";
import { pluginId, type Skill } from "../skill/skill.ts";

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
