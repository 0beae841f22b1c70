import { loadSkill, type SnapshotView } from "#skills";
import type { Doors } from "./open-parts.ts";

/** Everything that shows or finds skills, of what `view` leaves of each snapshot: all of it, or what one client is served. */
export function servedSkills({ source, snapshotWith, catalog, search }: Doors, view: SnapshotView) {
  return {
    /** The current skills; waits only for the first scan. */
    snapshot: async () => view(await source.snapshot()),
    /** The skills for who wants a certain one: waits for the first clone of a repository if no other has its name. */
    snapshotWith: async (name: string) => view(await snapshotWith(name)),
    /** The skills as they are on the disk at this moment. */
    refresh: async () => view(await source.refresh()),
    load: async (name: string) => loadSkill(view(await snapshotWith(name)), name),
    /** Every SKILL.md in the catalog's scope, after a fresh scan. */
    listCatalog: (wanted: Parameters<typeof catalog.list>[0]) => catalog.list(wanted, view),
    /** The skills that contain every word of a query, after a fresh scan. */
    searchAllWords: (wanted: Parameters<typeof catalog.search>[0]) => catalog.search(wanted, view),
    search: (task: string, limit: number, audience?: Parameters<typeof search.search>[2]) =>
      search.search(task, limit, audience, view),
  };
}
