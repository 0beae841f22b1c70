import type { Catalog, Entry } from "#skills";
import { memoizeWeak, nameKey } from "#util/pure";
import { compareKeys } from "../server/paging.ts";
import { resourceUri, SKILL_SCHEME, skillRootUri } from "./resource-uri.ts";

/** A skill that has a URI. */
export interface ServedSkill {
  readonly entry: Entry;
  readonly root: string;
}

interface ServedSkills {
  /** In the order of the URIs of their files. */
  readonly sorted: readonly ServedSkill[];
  readonly byRoot: ReadonlyMap<string, ServedSkill>;
  /** By the key of the name that lists it; but not where a provider has the same name, whose URIs come first. */
  readonly byName: ReadonlyMap<string, ServedSkill>;
}

/** The skills of a catalog that have a URI. */
export const servedSkills = memoizeWeak(({ entries }: Catalog): ServedSkills => {
  const sorted = entries
    .flatMap((entry): ServedSkill[] => {
      const root = skillRootUri(entry.skill);
      return root === undefined ? [] : [{ entry, root }];
    })
    // With the slash: `pdf-tools/…` comes before `pdf/…`, as it does among the URIs of files.
    .sort((a, b) => compareKeys(`${a.root}/`, `${b.root}/`));
  const providers = new Set(sorted.map(({ root }) => root.split("/")[2] ?? ""));
  const named = sorted.map((served) => [nameKey(served.entry.listedAs), served] as const);
  return {
    sorted,
    byRoot: new Map(sorted.map((served) => [served.root, served])),
    byName: new Map(named.filter(([name]) => !providers.has(name))),
  };
});

/** `skill://<name>/`, below which the files of a skill can be read; or with its provider where that is needed. */
export function baseUriOf(catalog: Catalog, { listedAs, skill }: Entry): string {
  const isNamed = servedSkills(catalog).byName.has(nameKey(listedAs));
  const root = isNamed ? resourceUri(SKILL_SCHEME, [listedAs]) : skillRootUri(skill);
  return `${root ?? SKILL_SCHEME}/`;
}
