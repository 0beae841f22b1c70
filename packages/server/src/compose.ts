import type { InstallPlaces } from "#install";
import { type LibraryTools, openLibrary, openScripts } from "#library";
import { createLazySearch } from "#search";
import {
  createSkillCatalog,
  createToggles,
  failedRefreshLine,
  fixedProfiles,
  joinProfiles,
  loadSkill,
  openRegistry,
  type ProfilesInForce,
  resolvePlaces,
  type SkillViewOptions,
  type SnapshotSource,
  type SnapshotView,
  sourceInProfiles,
  type Toggles,
} from "#skills";
import { createRefresher, createSettledSnapshot, SEES_EVERY_REPO, seesItsRepos } from "#sources";
import { type AuditLog, createAppReview, createAuditLog, createTrustedScan, type ReviewTools } from "#trust";
import { createLazyUsage, recordUnderCommonNames, type UsedBy } from "#usage";
import { createIdle, monotonicMs, NO_LOG } from "#util";
import { createPageTools, type PageTools } from "./dashboard/page-tools.ts";
import { createChecks } from "./health/create-checks.ts";
import { openLikelyUse } from "./mcp/likely-use.ts";
import type { AppOptions } from "./options.ts";
import type { CatalogSearch, Checks, Search, Skills, UsageRecords } from "./services.ts";
import { anyInfo } from "./skill-info.ts";
import { createUsageRecords } from "./usage-records.ts";

/** The parts, put together over one source of skills. A function takes those of them that it uses. */
export interface Services {
  readonly skills: Skills;
  readonly catalog: CatalogSearch;
  readonly search: Search;
  /** What one client is served, which may be less: `view` leaves something out of each snapshot. */
  servedAs(view: SnapshotView): Pick<Services, "skills" | "catalog" | "search">;
  readonly library: LibraryTools;
  /** The library tools, with what they do recorded as one caller's. */
  libraryOf(by: () => UsedBy): LibraryTools;
  readonly toggles: Toggles;
  readonly usage: UsageRecords;
  readonly checks: Checks;
  readonly review: () => Promise<ReviewTools>;
  /** The record of who was served what. */
  readonly auditLog: AuditLog;
  readonly page: PageTools;
  /** The folders that installed skills are in. */
  readonly installPlaces: InstallPlaces;
  /** Rates that replicas count together; undefined where this server is the only one. */
  readonly sharedRates: NonNullable<AppOptions["share"]>["rates"] | undefined;
  /** Replaces the additional project folders (absolute), which are searched for agents' folders too. */
  setWorkspaces(dirs: readonly string[]): Promise<void>;
  /** Serves what changed settings select. A wrong filter is a `Refusal`, and nothing changes. */
  setView(chosen: SkillViewOptions): Promise<void>;
  /** Services for someone who may see only some of the skills, and must not learn that there are others. */
  narrowed(narrowing: ProfilesInForce): Services;
}

/** A client that disconnects must not wait long for an analytics endpoint that hangs. */
const USAGE_DEADLINE_MS = 1_500;

/** Puts the product together. The caller closes it; closing twice is harmless. */
export function compose(options: AppOptions = {}): {
  readonly services: Services;
  readonly close: () => Promise<void>;
} {
  const shared = openShared(options);
  const opened: { readonly search: ReturnType<typeof createLazySearch> }[] = [];
  const servicesFor = (narrowing: ProfilesInForce | undefined): Services => {
    const view = openView(shared, narrowing);
    opened.push(view);
    return {
      ...view.services,
      narrowed: (more) => servicesFor(narrowing === undefined ? more : joinProfiles(narrowing, more)),
    };
  };
  const { profiles = [] } = options;
  const fixed = profiles.length === 0 ? undefined : fixedProfiles(profiles);
  return {
    services: servicesFor(options.profilesInForce ?? fixed),
    close: async () => {
      const { idle, registry, scripts, usage, auditLog } = shared;
      idle.close();
      registry.close();
      const searches = opened.map(({ search }) => search.close());
      await Promise.all([scripts.close(), usage.close(USAGE_DEADLINE_MS), ...searches]);
      await auditLog.close();
      options.share?.usage.close();
    },
  };
}

/** Opens everything that has state and is the same for everyone. */
function openShared(options: AppOptions) {
  const { git, share, log = NO_LOG } = options;
  const places = resolvePlaces(options);
  const { ownFolder } = places;
  const idle = createIdle({ now: monotonicMs });
  const registry = openRegistry({
    options,
    places,
    idle,
    log,
    trusted: (scan, chosen) => createTrustedScan(scan, { options: { ...chosen, git }, places, log }),
  });
  git?.onUpdate("skills", () =>
    registry.refresh("sync").catch((error: unknown) => log.error(failedRefreshLine(error))),
  );
  const source: SnapshotSource = {
    snapshot: registry.snapshot,
    refresh: () => registry.refresh("request"),
    onChange: registry.onChange,
    onRefresh: registry.onRefresh,
  };
  const { auditLog: target, remoteCallers: isHttp = false } = options;
  return {
    options,
    log,
    places,
    idle,
    registry,
    /** All skills; every view is made of it. */
    source,
    usage: createLazyUsage(ownFolder, options.usage, share?.usage, log),
    likelyUse: openLikelyUse(options, places, idle),
    scripts: openScripts(options, places, log),
    refresher: createRefresher(git),
    auditLog: createAuditLog({ ownFolder, target, isHttp, log }),
  };
}

type SharedParts = ReturnType<typeof openShared>;

/** Opens everything that shows skills, over one source that leaves out what must not be seen. */
function openView(shared: SharedParts, narrowing: ProfilesInForce | undefined) {
  const { options, places, idle, log, registry, scripts, refresher, auditLog, likelyUse } = shared;
  const { git, share } = options;
  const source = narrowing === undefined ? shared.source : sourceInProfiles(shared.source, narrowing);
  const { snapshot, refresh } = source;
  const { settled, with: snapshotWith } = createSettledSnapshot({ snapshot, refresh, git });
  const profiles = narrowing?.names();
  const search = createLazySearch({ options, places, snapshot: settled, idle, log, profiles });
  const usage = narrowing === undefined ? shared.usage : recordUnderCommonNames(shared, snapshot);
  const seesRepo = narrowing === undefined ? SEES_EVERY_REPO : seesItsRepos(git);
  const allowsScripts = narrowing?.allowsScripts ?? (() => true);
  const library = openLibrary({
    ...{ options, places, settled, refresh, search: search.search, usage, log },
    ...{ allowsScripts, seesRepo, scripts, refresher },
    async refuseUnapproved(found, bytes) {
      const { refuseUnapproved } = await import("#trust");
      await refuseUnapproved(found, bytes, places.ownFolder);
    },
  });
  const isServer = options.watch === true || options.autoRefresh === true;
  // What waits for approval is logged once, for the operator.
  const onRefresh = isServer && narrowing === undefined ? source.onRefresh : undefined;
  const repositories = async () => {
    const current = await snapshot();
    return git?.states().filter(({ url }) => seesRepo(current, url)) ?? [];
  };
  const catalog = createSkillCatalog({ options, places, refresh });
  const servedAs = (view: SnapshotView): Pick<Services, "skills" | "catalog" | "search"> => ({
    skills: {
      ...source,
      snapshot: async () => view(await snapshot()),
      snapshotWith: async (name) => view(await snapshotWith(name)),
      refresh: async () => view(await refresh()),
      load: async (name) => loadSkill(view(await snapshotWith(name)), name),
      info: async (name) => anyInfo(await snapshot(), name),
    },
    catalog: {
      listCatalog: (wanted) => catalog.list(wanted, view),
      searchAllWords: (wanted) => catalog.search(wanted, view),
    },
    search: {
      search: (task, limit, audience) => search.search(task, limit, audience, view),
      searchIndex: search.index,
      searchDiagnostics: search.diagnostics,
      prepareSearch: search.prepare,
    },
  });
  const services: Omit<Services, "narrowed"> = {
    ...servedAs((all) => all),
    servedAs,
    library: library.tools,
    libraryOf: library.toolsOf,
    toggles: createToggles({
      ...{ snapshot, refresh, ownFolder: places.ownFolder },
      showsProfiles: narrowing === undefined,
    }),
    usage: createUsageRecords(
      { usage, likelyUse, home: places.home, fleet: share?.usage, snapshot },
      narrowing && shared.source,
    ),
    checks: createChecks(
      { registry, scripts, usage: shared.usage, search, repositories },
      { source, all: shared.source, narrowing, hasRepositories: git !== undefined, home: places.home },
    ),
    review: createAppReview({ snapshot, refresh, places, onRefresh, idle, auditLog, log }),
    auditLog,
    page: createPageTools({ snapshot, refresh, places, log }),
    installPlaces: { ...places, environment: process.env, log },
    sharedRates: share?.rates,
    setWorkspaces: registry.setWorkspaces,
    setView: registry.setView,
  };
  return { services, search };
}
