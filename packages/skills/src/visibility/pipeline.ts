import { memoizeWeak } from "#util/pure";
import type { Filter } from "../catalog/filter.ts";
import { createSnapshotBuilder, type Snapshot } from "../registry/snapshot.ts";
import type { ScanResult } from "../scan/scan.ts";
import { createFilterStep } from "./filter-step.ts";
import { createProfileStep } from "./profile-step.ts";

/**
 * Decides what is served of what a scan found. The steps in their order, each with what it adds to `notServed`:
 *
 * 1. the scan itself: `plugin-off`
 * 2. trust's step, which the scan is given: puts approved versions in the place of what needs an approval (`reviewed`)
 * 3. profiles: add nothing, as whoever is served one must not learn that there is more
 * 4. `--include` and `--exclude`: `filtered`
 * 5. the catalog, which gives names: `shadowed`, `disabled`, `broken`, `not-approved`
 *
 * The rest depends on the client, and changes no name: `withoutDisabled` (`disabled-for`), and for lists `listedSkills`
 * (`not-for-models`, `native`).
 */
export function createPipeline(
  filter: Filter,
  profiles: readonly Filter[] = [],
): (found: ScanResult) => Snapshot {
  const steps = [...profiles.map(createProfileStep), createFilterStep(filter)];
  const build = createSnapshotBuilder();
  const withProfile = memoizeWeak((profile: Filter) => createPipeline(filter, [...profiles, profile]));
  return (found) => ({
    ...build(steps.reduce((left, step) => step(left), found)),
    inProfile: memoizeWeak((profile: Filter) => withProfile(profile)(found)),
  });
}
