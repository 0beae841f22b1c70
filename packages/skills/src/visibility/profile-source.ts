import { memoizeWeak } from "#util/pure";
import { fullName } from "../catalog/catalog.ts";
import type { Filter } from "../catalog/filter.ts";
import type { RefreshEvent, Snapshot } from "../registry/registry.ts";
import { type CatalogChange, visibleChange } from "../registry/snapshot.ts";
import { allowsScripts, filterOfAll, type Profile } from "./profile.ts";

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

/** The profiles of a running server. */
export interface Profiles {
  names(): readonly string[];
  has(name: string): boolean;
  /** As they are now. One that is gone meanwhile serves nothing. */
  of(names: readonly string[]): readonly Profile[];
  /** All of these at once, as they are now and after each swap. */
  inForce(names: readonly string[]): ProfilesInForce;
  /** Replaces all of them, and calls the listeners of those that serve something else from now on. */
  swap(known: readonly Profile[]): void;
}

interface Updatable extends ProfilesInForce {
  update(): void;
}

export function createProfiles(first: readonly Profile[]): Profiles {
  let known = byName(first);
  const inForce = new Map<string, Updatable>();
  const of = (names: readonly string[]): readonly Profile[] =>
    names.map((name) => known.get(name) ?? nothingFor(name));
  return {
    names: () => [...known.keys()],
    has: (name) => known.has(name),
    of,
    inForce(names) {
      const key = names.join("\n");
      const found = inForce.get(key) ?? createInForce(names, () => of(names));
      inForce.set(key, found);
      return found;
    },
    swap(next) {
      known = byName(next);
      for (const one of inForce.values()) one.update();
    },
  };
}

function createInForce(names: readonly string[], now: () => readonly Profile[]): Updatable {
  const listeners = new Set<() => void>();
  let profiles = now();
  let filter = filterOfAll(profiles);
  return {
    names: () => names,
    filter: () => filter,
    allowsScripts: () => allowsScripts(profiles),
    onSwap(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    update() {
      const next = now();
      if (JSON.stringify(next) === JSON.stringify(profiles)) return;
      profiles = next;
      filter = filterOfAll(profiles);
      for (const listener of listeners) listener();
    },
  };
}

function byName(profiles: readonly Profile[]): ReadonlyMap<string, Profile> {
  return new Map(profiles.map((profile) => [profile.name, profile]));
}

/** Whoever was served a profile that is gone must not see more than before. */
function nothingFor(name: string): Profile {
  return { name, exclude: ["*"], tools: [], scripts: false };
}

/** What the skills of a profile are called in it and outside of it. */
interface NamesInProfile {
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
