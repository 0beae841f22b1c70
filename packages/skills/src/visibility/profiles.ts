import { allowsScripts, filterOfAll, type Profile } from "./profile.ts";
import type { ProfilesInForce } from "./profile-source.ts";

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
