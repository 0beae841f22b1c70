import type { Catalog } from "../../src/catalog/catalog.ts";
import { buildCatalog } from "../../src/catalog/catalog.ts";
import type { Skill } from "../../src/skill/skill.ts";

export { fromPlugin, plain } from "../../../../test/support/skills.ts";

export function listedNames(catalog: Catalog): readonly string[] {
  return catalog.entries.map((entry) => entry.listedAs);
}

export function catalogOf(...sightings: readonly Skill[]): Catalog {
  return buildCatalog(sightings);
}
