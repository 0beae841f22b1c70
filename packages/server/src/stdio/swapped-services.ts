import { type RefreshEvent, type SnapshotView, visibleChange } from "#skills";
import type { McpServices } from "../mcp/server/create-server.ts";

/** Services of one app after the other, for a client that stays connected while the settings change. */
export interface SwappedServices {
  /** What each call of them does is done by the services that are current at that moment. */
  readonly services: McpServices;
  /**
   * Answers from other services from now on, and announces what looks different. `isOther` says that it does, whatever the skills
   * are. Calls that have begun go on with the old services; `onUnused` is called after the last of them.
   */
  swap(next: McpServices, isOther: boolean, onUnused: () => void): Promise<void>;
}

type ShownChange = NonNullable<RefreshEvent["change"]>;

/** The services that are in use, and what to do after their last call once others are. */
interface InUse {
  readonly services: McpServices;
  calls: number;
  onUnused: (() => void) | undefined;
  stop: () => void;
}

export function createSwappedServices(first: McpServices): SwappedServices {
  const onChange = new Set<(change: ShownChange) => void>();
  const onRefresh = new Set<(event: RefreshEvent) => void>();
  let workspaces: readonly string[] | undefined;
  const tell = (event: RefreshEvent): void => {
    if (event.change !== undefined) for (const listener of onChange) listener(event.change);
    for (const listener of onRefresh) listener(event);
  };
  const begin = (services: McpServices): InUse => ({
    services,
    calls: 0,
    onUnused: undefined,
    stop: services.skills.onRefresh(tell),
  });
  let current = begin(first);

  const end = (used: InUse): void => {
    used.calls--;
    if (used.calls === 0) used.onUnused?.();
  };
  const use = <Result>(run: (services: McpServices) => Promise<Result>): Promise<Result> => {
    const used = current;
    used.calls++;
    return run(used.services).finally(() => end(used));
  };

  const servedBy = (
    of: (services: McpServices) => Pick<McpServices, "skills" | "catalog" | "search">,
  ): Pick<McpServices, "skills" | "catalog" | "search"> => ({
    skills: {
      snapshot: () => use((now) => of(now).skills.snapshot()),
      snapshotWith: (name) => use((now) => of(now).skills.snapshotWith(name)),
      refresh: () => use((now) => of(now).skills.refresh()),
      load: (name) => use((now) => of(now).skills.load(name)),
      info: (name) => use((now) => of(now).skills.info(name)),
      onChange: (listener) => added(onChange, listener),
      onRefresh: (listener) => added(onRefresh, listener),
    },
    catalog: {
      listCatalog: (wanted) => use((now) => of(now).catalog.listCatalog(wanted)),
      searchAllWords: (wanted) => use((now) => of(now).catalog.searchAllWords(wanted)),
    },
    search: {
      search: (task, limit, audience) => use((now) => of(now).search.search(task, limit, audience)),
      searchIndex: () => use((now) => of(now).search.searchIndex()),
      searchDiagnostics: () => use((now) => of(now).search.searchDiagnostics()),
      prepareSearch: () => of(current.services).search.prepareSearch(),
    },
  });
  const libraryBy = (of: (services: McpServices) => McpServices["library"]): McpServices["library"] => ({
    getSkill: (wanted) => use((now) => of(now).getSkill(wanted)),
    provenance: (skillPath) => use((now) => of(now).provenance(skillPath)),
    readContent: (skillPath) => use((now) => of(now).readContent(skillPath)),
    listSkills: (under) => use((now) => of(now).listSkills(under)),
    getAsset: (wanted) => use((now) => of(now).getAsset(wanted)),
    runScript: (request, call) => use((now) => of(now).runScript(request, call)),
    reportUsage: (feedback) => use((now) => of(now).reportUsage(feedback)),
    refreshSkills: (onStep) => use((now) => of(now).refreshSkills(onStep)),
  });
  const whole = servedBy((now) => now);
  return {
    services: {
      ...whole,
      servedAs: (view: SnapshotView) => servedBy((now) => now.servedAs(view)),
      library: libraryBy((now) => now.library),
      libraryOf: (by) => libraryBy((now) => now.libraryOf(by)),
      usage: {
        record: (...event) => current.services.usage.record(...event),
        recordUnknownName: (...unknown) => current.services.usage.recordUnknownName(...unknown),
        usage: (span, caller) => use((now) => now.usage.usage(span, caller)),
        likelyUse: () => current.services.usage.likelyUse(),
      },
      auditLog: {
        isOn: () => current.services.auditLog.isOn(),
        record: (entry) => current.services.auditLog.record(entry),
        close: async () => {},
      },
      async setWorkspaces(dirs) {
        workspaces = dirs;
        await current.services.setWorkspaces(dirs);
      },
    },
    async swap(next, isOther, onUnused) {
      if (workspaces !== undefined) await next.setWorkspaces(workspaces);
      // Before the first scan nothing was shown that could look different.
      const previous = await current.services.skills.snapshot().catch(() => undefined);
      const snapshot = await next.skills.snapshot();
      const last = current;
      last.stop();
      current = begin(next);
      const change = previous && (visibleChange(previous, snapshot) ?? (isOther ? OTHER : undefined));
      tell({ reasons: new Set(["request"]), snapshot, previous, change });
      last.onUnused = onUnused;
      if (last.calls === 0) onUnused();
    },
  };
}

const OTHER: ShownChange = { added: 0, removed: 0, changed: 1 };

function added<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
