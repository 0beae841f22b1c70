import { openLibrary, openScripts } from "#library";
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
  type SnapshotSource,
  type SnapshotView,
  sourceInProfiles,
  whyWithheld,
} from "#skills";
import { createRefresher, createSettledSnapshot, SEES_EVERY_REPO, seesItsRepos } from "#sources";
import { createAppReview, createAuditLog, createTrustedScan } from "#trust";
import { createLazyUsage, recordUnderCommonNames } from "#usage";
import { createIdle, monotonicMs, NO_LOG } from "#util";
import { createPageTools } from "./dashboard/page-tools.ts";
import { createChecks } from "./health/create-checks.ts";
import { openLikelyUse } from "./mcp/likely-use.ts";
import { once, onFirstUse } from "./on-first-use.ts";
import type { AppOptions } from "./options.ts";
import type { Services } from "./services.ts";
import { anyInfo } from "./skill-info.ts";
import { createUsageRecords } from "./usage-records.ts";

/** A client that disconnects must not wait long for an analytics endpoint that hangs. */
const USAGE_DEADLINE_MS = 1_500;

/** Puts the product together. The caller closes it; closing twice is harmless. */
export function compose(options: AppOptions = {}): {
  readonly services: Services;
  readonly close: () => Promise<void>;
} {
  const shared = openShared(options);
  const searches: ReturnType<typeof createLazySearch>[] = [];
  const servicesFor = (narrowing: ProfilesInForce | undefined): Services => {
    const { services, search } = openView(shared, narrowing, (more) =>
      servicesFor(narrowing === undefined ? more : joinProfiles(narrowing, more)),
    );
    searches.push(search);
    return services;
  };
  const { profiles = [] } = options;
  const fixed = profiles.length === 0 ? undefined : fixedProfiles(profiles);
  return {
    services: servicesFor(options.profilesInForce ?? fixed),
    close: async () => {
      const { idle, registry, scripts, usage, auditLog } = shared;
      idle.close();
      registry.close();
      const closing = searches.map((search) => search.close());
      await Promise.all([scripts.made()?.close(), usage.close(USAGE_DEADLINE_MS), ...closing]);
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
    // Where nothing is served, because nobody knows what the rules withhold, they are not read.
    trusted: (scan, chosen) =>
      whyWithheld("skills", options.wrongSettings).length > 0
        ? scan
        : createTrustedScan(scan, { options: { ...chosen, git }, places, log }),
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
    scripts: once(() => openScripts(options, places, log)),
    refresher: once(() => createRefresher(git)),
    auditLog: createAuditLog({ ownFolder, target, isHttp, log }),
  };
}

type SharedParts = ReturnType<typeof openShared>;

/** Opens everything that shows skills, over one source that leaves out what must not be seen. */
function openView(
  shared: SharedParts,
  narrowing: ProfilesInForce | undefined,
  narrowed: Services["narrowed"],
) {
  const { options, places, idle, log, registry, scripts, auditLog, likelyUse } = shared;
  const { git, share } = options;
  const { home, ownFolder } = places;
  const source = narrowing === undefined ? shared.source : sourceInProfiles(shared.source, narrowing);
  const { snapshot, refresh } = source;
  const { settled, with: snapshotWith } = createSettledSnapshot({ snapshot, refresh, git });
  const profiles = narrowing?.names();
  const search = createLazySearch({ options, places, snapshot: settled, idle, log, profiles });
  const usage = narrowing === undefined ? shared.usage : recordUnderCommonNames(shared, snapshot);
  const seesRepo = narrowing === undefined ? SEES_EVERY_REPO : seesItsRepos(git);
  const library = once(() =>
    openLibrary({
      ...{ options, places, settled, refresh, search: search.search, usage, log, seesRepo },
      ...{ scripts: scripts(), refresher: shared.refresher() },
      roots: async () =>
        [...(await shared.source.snapshot()).roots, ...registry.libraries].map(({ dir }) => dir),
      allowsScripts: narrowing?.allowsScripts ?? (() => true),
      async refuseUnapproved(found, bytes) {
        const { refuseUnapproved } = await import("#trust");
        await refuseUnapproved(found, bytes, ownFolder);
      },
    }),
  );
  const repositories = async () => {
    const current = await snapshot();
    return git?.states().filter(({ url }) => seesRepo(current, url)) ?? [];
  };
  const catalog = once(() => createSkillCatalog({ options, places, refresh }));
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
      listCatalog: (wanted) => catalog().list(wanted, view),
      searchAllWords: (wanted) => catalog().search(wanted, view),
    },
    search: {
      search: (task, limit, audience) => search.search(task, limit, audience, view),
      searchIndex: search.index,
      searchDiagnostics: search.diagnostics,
      prepareSearch: search.prepare,
    },
  });
  const whole = servedAs((all) => all);
  const isServer = options.watch === true || options.autoRefresh === true;
  // What waits for approval is logged once, for the operator.
  const onRefresh = isServer && narrowing === undefined ? source.onRefresh : undefined;
  const review = createAppReview({ snapshot, refresh, places, onRefresh, idle, auditLog, log });
  const services = onFirstUse<Services>({
    skills: () => whole.skills,
    catalog: () => whole.catalog,
    search: () => whole.search,
    servedAs: () => servedAs,
    library: () => library().tools,
    libraryOf: () => (by) => library().toolsOf(by),
    toggles: () => createToggles({ snapshot, refresh, ownFolder, showsProfiles: narrowing === undefined }),
    usage: () =>
      createUsageRecords(
        { usage, likelyUse, home, fleet: share?.usage, snapshot },
        narrowing && shared.source,
      ),
    checks: () =>
      createChecks(
        { registry, scripts, usage: shared.usage, search, repositories },
        { source, all: shared.source, narrowing, hasRepositories: git !== undefined, places },
      ),
    review: () => review,
    auditLog: () => auditLog,
    page: () => createPageTools({ snapshot, refresh, places, log }),
    installPlaces: () => ({ ...places, environment: process.env, log }),
    sharedRates: () => share?.rates,
    setWorkspaces: () => registry.setWorkspaces,
    setView: () => registry.setView,
    narrowed: () => narrowed,
  });
  return { services, search };
}
