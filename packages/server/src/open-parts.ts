import { openLibrary, openScripts } from "#library";
import { createLazySearch } from "#search";
import {
  createSkillCatalog,
  failedRefreshLine,
  type Narrowing,
  narrowedSource,
  openRegistry,
  resolvePlaces,
  type SkillSource,
} from "#skills";
import { createRefresher, createSettledSnapshot, SEES_EVERY_REPO, seesItsRepos } from "#sources";
import { createAppReview, createAuditLog, createTrustedScan } from "#trust";
import { createLazyUsage, openLikelyUse, recordUnderCommonNames } from "#usage";
import { createIdle, type Log, monotonicMs, NO_LOG } from "#util";
import { createPageTools } from "./dashboard/page-tools.ts";
import type { AppOptions } from "./options.ts";

/** Opens everything that has state and is the same for everyone. */
export function openBase(options: AppOptions) {
  const log = options.log ?? NO_LOG;
  const { git, share } = options;
  const places = resolvePlaces(options);
  const idle = createIdle({ now: monotonicMs });
  const registry = openRegistry({
    options,
    places,
    idle,
    log,
    trusted: (scan, chosen) => createTrustedScan(scan, { options: { ...chosen, git }, places, log }),
  });
  const { ownFolder } = places;
  git?.onUpdate("skills", () =>
    registry.refresh("sync").catch((error: unknown) => log.error(failedRefreshLine(error))),
  );
  const source: SkillSource = {
    snapshot: registry.snapshot,
    refresh: () => registry.refresh("request"),
    onChange: registry.onChange,
    onRefresh: registry.onRefresh,
  };
  return {
    options,
    log,
    places,
    idle,
    registry,
    /** All skills; the others are made of it. */
    source,
    usage: createLazyUsage(ownFolder, options.usage, share?.usage, log),
    share,
    likelyUse: openLikelyUse(options, places, idle),
    scripts: openScripts(options, places, log),
    refresher: createRefresher(git),
    auditLog: openAuditLog(options, ownFolder, log),
  };
}

export type Base = ReturnType<typeof openBase>;

function openAuditLog({ auditLog: target, remoteCallers = false }: AppOptions, ownFolder: string, log: Log) {
  return createAuditLog({ ownFolder, target, isHttp: remoteCallers, log });
}

/** Everything that shows skills. It gets them from one source, which leaves out what must not be seen. */
export function openDoors(base: Base, narrowing: Narrowing | undefined) {
  const { options, places, idle, log, scripts, refresher, auditLog } = base;
  const source = narrowing === undefined ? base.source : narrowedSource(base.source, narrowing);
  const { snapshot, refresh } = source;
  const { git } = options;
  const { settled, with: snapshotWith } = createSettledSnapshot({ snapshot, refresh, git });
  const search = createLazySearch({
    options,
    places,
    snapshot: settled,
    idle,
    log,
    ...(narrowing === undefined ? {} : { profiles: narrowing.names() }),
  });
  const usage = narrowing === undefined ? base.usage : recordUnderCommonNames(base, snapshot);
  const seesRepo = narrowing === undefined ? SEES_EVERY_REPO : seesItsRepos(git);
  const allowsScripts = narrowing?.allowsScripts ?? (() => true);
  const given = { options, places, settled, refresh, search: search.search, usage, log };
  const isServer = options.watch === true || options.autoRefresh === true;
  // What waits for approval is logged once, for the operator.
  const onRefresh = isServer && narrowing === undefined ? source.onRefresh : undefined;
  return {
    narrowing,
    source,
    snapshotWith,
    search,
    usage,
    seesRepo,
    allowsScripts,
    catalog: createSkillCatalog({ options, places, refresh }),
    library: openLibrary({
      ...given,
      allowsScripts,
      seesRepo,
      scripts,
      refresher,
      async refuseUnapproved(found, bytes) {
        const { refuseUnapproved } = await import("#trust");
        await refuseUnapproved(found, bytes, places.ownFolder);
      },
    }),
    review: createAppReview({ snapshot, refresh, places, onRefresh, idle, auditLog, log }),
    page: createPageTools({ snapshot, refresh, places, log }),
  };
}

export type Doors = ReturnType<typeof openDoors>;
