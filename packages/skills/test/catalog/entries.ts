import { buildCatalog, type Catalog, type Entry } from "../../src/catalog/catalog.ts";
import type { Skill } from "../../src/skill/skill.ts";

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

export function listedNames(catalog: Catalog): readonly string[] {
  return catalog.entries.map((entry) => entry.listedAs);
}

export function catalogOf(...sightings: readonly Skill[]): Catalog {
  return buildCatalog(sightings);
}
