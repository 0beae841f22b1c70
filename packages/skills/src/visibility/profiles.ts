import type { Filter } from "../catalog/filter.ts";
import type { Narrowing } from "./narrowed-source.ts";
import { allowsScripts, filterOfAll, type Profile } from "./profile.ts";

/** The profiles of a running server. */
export interface Profiles {
  names(): readonly string[];
  has(name: string): boolean;
  /** As they are now. One that is gone meanwhile leaves nothing. */
  of(names: readonly string[]): readonly Profile[];
  /** What whoever is served all of these may see, now and after a swap. */
  narrowing(names: readonly string[]): Narrowing;
  /** Replaces all of them. Who is served one sees what it leaves from now on, and is told if that is something else. */
  swap(known: readonly Profile[]): void;
}

interface InForce extends Narrowing {
  update(): void;
}

export function createProfiles(first: readonly Profile[]): Profiles {
  let known = byName(first);
  const narrowings = new Map<string, InForce>();
  const of = (names: readonly string[]): readonly Profile[] =>
    names.map((name) => known.get(name) ?? nothingFor(name));
  return {
    names: () => [...known.keys()],
    has: (name) => known.has(name),
    of,
    narrowing(names) {
      const key = names.join("\n");
      const narrowing = narrowings.get(key) ?? createInForce(names, () => of(names));
      narrowings.set(key, narrowing);
      return narrowing;
    },
    swap(next) {
      known = byName(next);
      for (const narrowing of narrowings.values()) narrowing.update();
    },
  };
}

function createInForce(names: readonly string[], now: () => readonly Profile[]): InForce {
  const listeners = new Set<(before: Filter, after: Filter) => void>();
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
      const before = filter;
      profiles = next;
      filter = filterOfAll(profiles);
      for (const listener of listeners) listener(before, filter);
    },
  };
}

function byName(profiles: readonly Profile[]): ReadonlyMap<string, Profile> {
  return new Map(profiles.map((profile) => [profile.name, profile]));
}

/** Whoever was served a profile that is gone must not see more than it left. */
function nothingFor(name: string): Profile {
  return { name, exclude: ["*"], tools: [], scripts: false };
}
