import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { agentTitle, type ClientInfo, isAgent } from "#agents";
import { describeError } from "#util";
import { memoizeWeak, nameKey } from "#util/pure";
import { type Catalog, type Entry, fullName } from "../catalog/catalog.ts";
import type { Snapshot } from "../registry/registry.ts";
import type { Skill } from "../skill/skill.ts";

/** The skills that are disabled for one client. */
interface DisabledForClient {
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

/** For whom a skill is disabled: one agent, or whoever is served a profile. */
export interface DisabledFor {
  readonly kind: "agent" | "profile";
  readonly name: string;
}

/** The full names of skills that are disabled for some, by the name of the agent or profile. */
export interface DisabledSets {
  readonly agents: Readonly<Record<string, readonly string[]>>;
  readonly profiles: Readonly<Record<string, readonly string[]>>;
}

const NONE: DisabledSets = { agents: {}, profiles: {} };
const LARGEST = 1024 * 1024;

/**
 * A file of its own, which only skills-mcp writes: nothing of what people wrote in their settings can be lost, and a server
 * reads it at its start without a YAML parser.
 */
export function disabledFile(ownFolder: string): string {
  return path.join(ownFolder, "disabled.json");
}

/** Nothing is disabled when there is no file. A file that cannot be read has a problem. */
export function readDisabledSets(file: string): { readonly sets: DisabledSets; readonly problem?: string } {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return { sets: NONE };
    if (!stats.isFile()) return failed(file, "it is not a regular file");
    if (stats.size > LARGEST) return failed(file, "the file is larger than 1 MiB");
    const data: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof data !== "object" || data === null) return failed(file, "it is not a JSON object");
    return { sets: { agents: setsIn(data, "agents"), profiles: setsIn(data, "profiles") } };
  } catch (error) {
    return failed(file, error instanceof SyntaxError ? "it is not valid JSON" : describeError(error));
  }
}

function failed(file: string, reason: string): { readonly sets: DisabledSets; readonly problem: string } {
  return { sets: NONE, problem: `${file}: The file cannot be read: ${reason}. Fix or delete it.` };
}

function setsIn(data: object, key: "agents" | "profiles"): DisabledSets["agents"] {
  const sets: unknown = Object.hasOwn(data, key) ? (data as Record<string, unknown>)[key] : {};
  if (typeof sets !== "object" || sets === null) return {};
  const lists = Object.entries(sets).map(([name, list]: [string, unknown]) => {
    const names = Array.isArray(list) ? list.filter((one): one is string => typeof one === "string") : [];
    return [name, names] as const;
  });
  return Object.fromEntries(lists);
}

/** For whom a skill is disabled. */
export function disabledFor({ agents, profiles }: DisabledSets, skill: Skill): readonly DisabledFor[] {
  const key = nameKey(fullName(skill));
  const among = (sets: DisabledSets["agents"], kind: DisabledFor["kind"]): readonly DisabledFor[] =>
    Object.entries(sets)
      .filter(([, names]) => names.some((name) => nameKey(name) === key))
      .map(([name]) => ({ kind, name }));
  return [...among(agents, "agent"), ...among(profiles, "profile")];
}
