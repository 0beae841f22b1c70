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
  /** Calls back with the filter before and the one after. Returns a function that stops it. */
  onSwap(listener: (before: Filter, after: Filter) => void): () => void;
}

/** Both at once: serves only what each of them serves. */
export function joinProfiles(a: ProfilesInForce, b: ProfilesInForce): ProfilesInForce {
  const join = (x: Filter, y: Filter): Filter => ({ include: [], exclude: [], and: [x, y] });
  let last: { readonly x: Filter; readonly y: Filter; readonly filter: Filter } | undefined;
  const filter = (): Filter => {
    const [x, y] = [a.filter(), b.filter()];
    // The same value for as long as both are the same: snapshots are cached by it.
    if (last?.x !== x || last.y !== y) last = { x, y, filter: join(x, y) };
    return last.filter;
  };
  return {
    names: () => [...new Set([...a.names(), ...b.names()])],
    filter,
    allowsScripts: () => a.allowsScripts() && b.allowsScripts(),
    onSwap(listener) {
      const stops = [
        a.onSwap((before) => listener(join(before, b.filter()), filter())),
        b.onSwap((before) => listener(join(a.filter(), before), filter())),
      ];
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
    const stopSwap = profiles.onSwap((before, after) => {
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
