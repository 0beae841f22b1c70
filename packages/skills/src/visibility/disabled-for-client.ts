import { agentTitle, type ClientInfo, isAgent } from "#agents";
import { memoizeWeak, nameKey } from "#util/pure";
import { type Catalog, type Entry, fullName } from "../catalog/catalog.ts";
import type { Snapshot } from "../registry/registry.ts";
import type { Skill } from "../skill/skill.ts";
import { type DisabledFor, disabledFile, readDisabledSets } from "../toggle/disabled-sets.ts";
import { filterOfProfile, type Profile } from "./profile.ts";

/** The skills that are disabled for one client. */
export interface DisabledForClient {
  /** Another value means other skills. */
  readonly key: string;
  readonly sets: readonly {
    /** The keys of their full names. */
    readonly names: ReadonlySet<string>;
    readonly whom: DisabledFor;
  }[];
}

/** Returns what is disabled for a client; undefined when nothing is. */
export type DisabledByClient = (client: ClientInfo | undefined) => DisabledForClient | undefined;

/** Reads what `disable --agent` wrote. Undefined when nothing is disabled for any agent, as on most machines. */
export function readDisabledByClient(ownFolder: string): DisabledByClient | undefined {
  const { sets } = readDisabledSets(disabledFile(ownFolder));
  const agents = Object.entries(sets.agents).filter(([, names]) => names.length > 0);
  if (agents.length === 0) return undefined;
  return (client) => {
    const own = client === undefined ? [] : agents.filter(([agent]) => isAgent(client, agent));
    if (own.length === 0) return undefined;
    return {
      key: JSON.stringify(own),
      sets: own.map(([name, names]) => ({
        names: new Set(names.map(nameKey)),
        whom: { kind: "agent", name },
      })),
    };
  };
}

/** Disables for every client also what a profile does not serve: how the profile looks to whoever may know of the rest. */
export function alsoOutsideOf(
  [profile]: readonly Profile[],
  { catalog, inProfile }: Snapshot,
  disabledByClient: DisabledByClient | undefined,
): DisabledByClient | undefined {
  if (profile === undefined) return disabledByClient;
  const served = new Set(inProfile(filterOfProfile(profile)).catalog.entries.map(({ skill }) => skill));
  const others = catalog.entries.filter(({ skill }) => !served.has(skill));
  const names = new Set(others.map(({ skill }) => nameKey(fullName(skill))));
  const set = { names, whom: { kind: "profile", name: profile.name } } as const;
  return (client) => {
    const own = disabledByClient?.(client);
    const key = JSON.stringify([own?.key ?? "", profile.name, ...names]);
    return { key, sets: [...(own?.sets ?? []), set] };
  };
}

/** `for Codex`, or `in the profile 'review'`. */
export function whomText({ kind, name }: DisabledFor): string {
  return kind === "agent" ? `for ${agentTitle(name)}` : `in the profile '${name}'`;
}

/** What somebody is served of a snapshot. */
export type SnapshotView = (snapshot: Snapshot) => Snapshot;

const viewsOf = memoizeWeak((_snapshot: Snapshot) => new Map<string, Snapshot>());

/** The step for one client: removes what is disabled for it. All other skills keep their names. */
export function withoutDisabled(snapshot: Snapshot, disabled: DisabledForClient | undefined): Snapshot {
  if (disabled === undefined) return snapshot;
  const views = viewsOf(snapshot);
  const view = views.get(disabled.key) ?? remove(snapshot, disabled);
  views.set(disabled.key, view);
  return view;
}

function remove(snapshot: Snapshot, { sets }: DisabledForClient): Snapshot {
  const { catalog, withFiles, notServed } = snapshot;
  const whomOf = (skill: Skill): DisabledFor | undefined => {
    const key = nameKey(fullName(skill));
    return sets.find(({ names }) => names.has(key))?.whom;
  };
  const removed = catalog.entries.flatMap((entry) => {
    const whom = whomOf(entry.skill);
    return whom === undefined ? [] : [{ kind: "disabled-for", entry, whom } as const];
  });
  const others = notServed.filter((one) => one.kind !== "shadowed" || whomOf(one.skill) === undefined);
  if (removed.length === 0 && others.length === notServed.length) return snapshot;
  const gone = new Set(removed.map(({ entry }) => entry));
  const entries = catalog.entries.filter((entry) => !gone.has(entry));
  return {
    ...snapshot,
    catalog: { entries, names: namesWithout(catalog, gone) },
    hasFiles: entries.some(({ skill }) => withFiles.has(skill.realDir)),
    notServed: [...others, ...removed],
    whole: snapshot.whole ?? snapshot,
  };
}

function namesWithout({ names }: Catalog, gone: ReadonlySet<Entry>): Catalog["names"] {
  const byName = new Map<string, readonly Entry[]>();
  for (const [name, entries] of names.byName) {
    const left = entries.filter((entry) => !gone.has(entry));
    if (left.length > 0) byName.set(name, left);
  }
  return {
    byName,
    ofQualified(key) {
      const entry = names.ofQualified(key);
      return entry !== undefined && !gone.has(entry) ? entry : undefined;
    },
  };
}
