import type { Catalog, Entry, Skill } from "#skills";

/** A plain skill in a folder of its own, in the project unless told otherwise. */
export function plain(provider: string, name: string, more: Partial<Skill> = {}): Skill {
  const location = more.location ?? "project";
  const dir = more.dir ?? `/${location}/.${provider}/skills/${name}`;
  return {
    name,
    description: `Does ${name}.`,
    provider,
    location,
    dir,
    fileName: "SKILL.md",
    realDir: dir,
    ...more,
  };
}

/** A skill of a plugin, which is always Claude's. */
export function fromPlugin(plugin: string, name: string, more: Partial<Skill> = {}): Skill {
  return plain("claude", name, {
    location: "plugin",
    plugin: { name: plugin, marketplace: "market" },
    dir: `/plugins/${plugin}/skills/${name}`,
    realDir: `/plugins/${plugin}/skills/${name}`,
    ...more,
  });
}

/** The entries of many plain skills, without the work of building a catalog. */
export function manyEntries(
  count: number,
  description = (index: number) => `Does thing ${index}.`,
): readonly Entry[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `skill-${String(index).padStart(6, "0")}`;
    const skill = plain("agents", name, { description: description(index) });
    return { skill, listedAs: name, shadowed: [], alsoSeen: [] };
  });
}

/** The entry of the first skill. Of the others, those in its real folder are seen again, and the rest are shadowed. */
export function entryOf(skill: Skill, ...others: readonly Skill[]): Entry {
  const { name, plugin, realDir } = skill;
  return {
    skill,
    listedAs: plugin === undefined ? name : `${plugin.name}:${name}`,
    shadowed: others.filter((other) => other.realDir !== realDir),
    alsoSeen: others.filter((other) => other.realDir === realDir),
  };
}

/** A catalog for code that only lists: each skill is an entry, and no name is found in it. */
export function listedCatalog(skills: readonly Skill[]): Catalog {
  return {
    entries: skills.map((skill) => entryOf(skill)),
    names: { byName: new Map(), ofQualified: () => undefined },
  };
}
