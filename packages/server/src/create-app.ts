import {
  createToggles,
  fixedProfiles,
  joinProfiles,
  namesInProfile,
  type ProfilesInForce,
  type SnapshotView,
} from "#skills";
import type { Span, UsageSummary, UsedBy } from "#usage";
import { cutText, oneLine } from "#util/pure";
import { checksOf } from "./checks.ts";
import { type Base, type Doors, openBase, openDoors } from "./open-parts.ts";
import type { AppOptions } from "./options.ts";
import { servedSkills } from "./served-skills.ts";
import { anyInfo } from "./skill-info.ts";

/**
 * What the product does. The edges (command line, MCP, HTTP) call this, and other functions of `app/`. Of what lies
 * below they use types, the pure functions of `skill/`, `catalog/` and `search/engine/`, and helpers of `system/` that do
 * no I/O; never a value of `registry/`, `search/`, `library/`, `sources/` or `usage/`. test/architecture.test.ts checks it.
 */
export type App = ReturnType<typeof appOf> & {
  /** The same for someone who may see only some of the skills, and must not learn that there are others. */
  readonly narrowed: (narrowing: ProfilesInForce) => App;
};

/** A client that disconnects must not wait long for an analytics endpoint that hangs. */
const USAGE_DEADLINE_MS = 1_500;

/** A client may send any text as a name, and a longer one says nothing more. */
const LONGEST_UNKNOWN_NAME = 200;

/** Puts the product together. The caller closes it; closing twice is harmless. */
export function createApp(options: AppOptions = {}): {
  readonly app: App;
  readonly close: () => Promise<void>;
} {
  const base = openBase(options);
  const { registry, idle, usage, share, scripts, auditLog } = base;
  const doors: ReturnType<typeof openDoors>[] = [];
  const appFor = (narrowing: ProfilesInForce | undefined): App => {
    const opened = openDoors(base, narrowing);
    doors.push(opened);
    return {
      ...appOf(base, opened),
      narrowed: (more) => appFor(narrowing === undefined ? more : joinProfiles(narrowing, more)),
    };
  };
  const { profiles = [] } = options;
  const fixed = profiles.length === 0 ? undefined : fixedProfiles(profiles);
  return {
    app: appFor(options.profilesInForce ?? fixed),
    close: async () => {
      idle.close();
      registry.close();
      const searches = doors.map(({ search }) => search.close());
      await Promise.all([scripts.close(), usage.close(USAGE_DEADLINE_MS), ...searches]);
      await auditLog.close();
      share?.usage.close();
    },
  };
}

function appOf(base: Base, doors: Doors) {
  const { places, registry, likelyUse } = base;
  const { source, search, usage, library, narrowing } = doors;
  const { snapshot, refresh } = source;
  return {
    ...servedSkills(doors, (all) => all),
    /** The same functions for one client, which is served less. */
    servedAs: (view: SnapshotView) => servedSkills(doors, view),
    /** Calls back after each refresh that changed what clients can see. Returns a function that stops it. */
    onChange: source.onChange,
    /** Calls back after every refresh. Returns a function that stops it. */
    onRefresh: source.onRefresh,
    /** Replaces the additional project folders (absolute), which are searched for agents' folders too. */
    setWorkspaces: registry.setWorkspaces,
    /** Serves what changed settings select. A wrong filter is a `Refusal`, and nothing changes. */
    setView: registry.setView,
    info: async (name: string) => anyInfo(await snapshot(), name),
    ...createToggles({
      snapshot,
      refresh,
      ownFolder: places.ownFolder,
      showsProfiles: narrowing === undefined,
    }),
    /** Skills that are served only once they are approved. */
    review: doors.review,
    /** The record of who was served what. */
    auditLog: base.auditLog,
    ...searchOf(search),
    library: library.tools,
    /** The same, with what they do recorded as one caller's; see as-caller.ts. */
    libraryOf: library.toolsOf,
    record: usage.record,
    /** What decides which skills come first in lists that are cut; the same for the whole run. */
    likelyUse,
    /** Records that a client wanted a skill by a name that none has. */
    recordUnknownName: (name: string, via: string, by?: UsedBy) =>
      usage.record("no_match", { context: oneLine(cutText(name, LONGEST_UNKNOWN_NAME)), via }, by),
    /** What was used, by one caller or by all: on all replicas, or on this machine. */
    usage: (span: Span, caller?: string) => usageNow(base, doors, span, caller),
    sharedRates: base.share?.rates,
    ...checksOf(base, doors),
    page: doors.page,
    /** The folders that installed skills are in, for the functions that look after them. */
    installPlaces: { ...places, environment: process.env, log: base.log },
  };
}

const searchOf = ({ index, diagnostics, prepare }: Doors["search"]) => ({
  searchIndex: index,
  searchDiagnostics: diagnostics,
  prepareSearch: prepare,
});

async function usageNow(
  { places, share, source: all }: Base,
  { source, narrowing }: Doors,
  span: Span,
  caller: string | undefined,
): Promise<UsageSummary> {
  const { usageStats } = await import("#usage");
  const seen = await source.snapshot();
  const names = narrowing && namesInProfile(await all.snapshot())(seen).inProfile;
  return usageStats({ home: places.home, fleet: share?.usage }, seen, span, { caller, names });
}
