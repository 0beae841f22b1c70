import { memoizeWeak } from "#util/pure";
import { fullName } from "../catalog/catalog.ts";
import type { Snapshot } from "../registry/registry.ts";

/** What the skills of a profile are called in it and outside of it. */
export interface NamesInProfile {
  /** By the name outside of it. */
  readonly inProfile: ReadonlyMap<string, string>;
  /** By the name in it. */
  readonly outside: ReadonlyMap<string, string>;
}

/** Names depend on which other skills there are, but usage is counted under one name for all. */
export const namesInProfile = memoizeWeak((all: Snapshot) =>
  memoizeWeak((seen: Snapshot): NamesInProfile => {
    const names = new Map(all.catalog.entries.map(({ skill, listedAs }) => [skill.realDir, listedAs]));
    const pairs = [
      ...seen.catalog.entries.map(
        ({ skill, listedAs }) => [names.get(skill.realDir) ?? fullName(skill), listedAs] as const,
      ),
      ...[...seen.library.skills.keys()].map((path) => [path, path] as const),
    ];
    return {
      inProfile: new Map(pairs),
      outside: new Map(pairs.map(([outside, inside]) => [inside, outside])),
    };
  }),
);
