import type { Catalog, Entry } from "../../catalog/catalog.ts";
import { memoizeWeak } from "../../system/memoize.ts";
import { compareKeys } from "../server/paging.ts";
import { skillRootUri } from "./resource-uri.ts";

/** A skill that has a URI. */
export interface ServedSkill {
  readonly entry: Entry;
  readonly root: string;
}

interface ServedSkills {
  /** In the order of the URIs of their files. */
  readonly sorted: readonly ServedSkill[];
  readonly byRoot: ReadonlyMap<string, ServedSkill>;
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
  return { sorted, byRoot: new Map(sorted.map((served) => [served.root, served])) };
});
