import { memoizeWeak } from "#util/pure";
import { fullName } from "../catalog/catalog.ts";
import type { Snapshot } from "../registry/registry.ts";

/** What the skills that someone sees are called by whoever sees everything, and the other way round. */
export interface SeenNames {
  readonly toSeen: ReadonlyMap<string, string>;
  readonly fromSeen: ReadonlyMap<string, string>;
}

/** Names depend on which other skills there are, but usage is counted under one name for all. */
export const seenNames = memoizeWeak((all: Snapshot) =>
  memoizeWeak((seen: Snapshot): SeenNames => {
    const names = new Map(all.catalog.entries.map(({ skill, listedAs }) => [skill.realDir, listedAs]));
    const pairs = [
      ...seen.catalog.entries.map(
        ({ skill, listedAs }) => [names.get(skill.realDir) ?? fullName(skill), listedAs] as const,
      ),
      ...[...seen.library.skills.keys()].map((path) => [path, path] as const),
    ];
    return {
      toSeen: new Map(pairs),
      fromSeen: new Map(pairs.map(([outside, inside]) => [inside, outside])),
    };
  }),
);
