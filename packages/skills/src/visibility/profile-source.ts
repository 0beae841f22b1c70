import { memoizeWeak } from "#util/pure";
import type { Filter } from "../catalog/filter.ts";
import { type CatalogChange, visibleChange } from "../catalog/visible-change.ts";
import type { RefreshEvent, Snapshot } from "../registry/registry.ts";

/** Where everything that is served comes from. Whatever shows skills gets them from here and nowhere else. */
export interface SnapshotSource {
  snapshot(): Promise<Snapshot>;
  refresh(): Promise<Snapshot>;
  /** Both return a function that stops it. */
  onChange(listener: (change: CatalogChange) => void): () => void;
  onRefresh(listener: (event: RefreshEvent) => void): () => void;
}

/** The profiles that somebody is served, which the operator may change meanwhile. */
export interface ProfilesInForce {
  names(): readonly string[];
  filter(): Filter;
  allowsScripts(): boolean;
  /** Calls back after the filter became another one. Returns a function that stops it. */
  onSwap(listener: () => void): () => void;
}

/** Both at once: serves only what each of them serves. */
export function joinProfiles(a: ProfilesInForce, b: ProfilesInForce): ProfilesInForce {
  // One value for as long as both are the same: snapshots are cached by it.
  const join = memoizeWeak((x: Filter) =>
    memoizeWeak((y: Filter): Filter => ({ include: [], exclude: [], and: [x, y] })),
  );
  return {
    names: () => [...new Set([...a.names(), ...b.names()])],
    filter: () => join(a.filter())(b.filter()),
    allowsScripts: () => a.allowsScripts() && b.allowsScripts(),
    onSwap(listener) {
      const stops = [a.onSwap(listener), b.onSwap(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** The skills as whoever is served these profiles sees them. */
export function sourceInProfiles(source: SnapshotSource, profiles: ProfilesInForce): SnapshotSource {
  const viewOf = (snapshot: Snapshot): Snapshot => snapshot.inProfile(profiles.filter());
  const listeners = new Set<(event: RefreshEvent) => void>();
  let stop: (() => void) | undefined;
  const tell = (event: Omit<RefreshEvent, "change">): void => {
    const { snapshot, previous } = event;
    const change = previous && visibleChange(previous, snapshot);
    for (const listener of listeners) listener({ ...event, change });
  };
  // One for all listeners, as comparing two snapshots takes a while.
  const start = (): (() => void) => {
    const stopRefresh = source.onRefresh(({ reasons, snapshot, previous }) =>
      tell({ reasons, snapshot: viewOf(snapshot), previous: previous && viewOf(previous) }),
    );
    let filter = profiles.filter();
    const stopSwap = profiles.onSwap(() => {
      const before = filter;
      const after = profiles.filter();
      filter = after;
      const reasons: RefreshEvent["reasons"] = new Set(["request"]);
      const compare = (snapshot: Snapshot): void =>
        tell({ reasons, snapshot: snapshot.inProfile(after), previous: snapshot.inProfile(before) });
      // A scan that fails has shown nothing that could have changed.
      source.snapshot().then(compare, () => {});
    });
    return () => {
      stopRefresh();
      stopSwap();
    };
  };
  const onRefresh: SnapshotSource["onRefresh"] = (listener) => {
    stop ??= start();
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      stop?.();
      stop = undefined;
    };
  };
  return {
    snapshot: async () => viewOf(await source.snapshot()),
    refresh: async () => viewOf(await source.refresh()),
    onRefresh,
    onChange: (listener) =>
      onRefresh(({ change }) => {
        if (change !== undefined) listener(change);
      }),
  };
}
