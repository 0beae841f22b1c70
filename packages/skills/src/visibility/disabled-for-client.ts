import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { agentTitle, type ClientInfo, isAgent } from "#agents";
import { describeError } from "#util";
import { isRecord, memoizeWeak, nameKey } from "#util/pure";
import { type Catalog, type Entry, fullName } from "../catalog/catalog.ts";
import type { Snapshot } from "../registry/registry.ts";
import type { Skill } from "../skill/skill.ts";
import { type ListedSets, listRules, type RuleLists, ruleOf, rulesFor } from "./list-rules.ts";

/** What the operator decided for one client: the skills that are disabled, and how others are listed. */
interface DisabledForClient {
  /** Another value means another decision. */
  readonly key: string;
  readonly sets: readonly {
    /** The keys of their full names. */
    readonly names: ReadonlySet<string>;
    readonly whom: DisabledFor;
  }[];
  /** Without any, everything is listed as usual. */
  readonly rules?: ReturnType<typeof listRules>;
}

/** Returns what is decided for a client; undefined when nothing is. */
export type DisabledByClient = (client: ClientInfo | undefined) => DisabledForClient | undefined;

/**
 * Reads what `disable --agent` and the dashboard wrote, besides the rules of the settings. Undefined when nothing is decided for
 * any client, as on most machines.
 */
export function readDisabledByClient(ownFolder: string, lists?: RuleLists): DisabledByClient | undefined {
  const { sets } = readDisabledSets(disabledFile(ownFolder));
  const agents = Object.entries(sets.agents).filter(([, names]) => names.length > 0);
  const all = listRules(lists, sets.listed);
  if (agents.length === 0 && all.length === 0) return undefined;
  return (client) => {
    const rules = rulesFor(all, client);
    const own = client === undefined ? [] : agents.filter(([agent]) => isAgent(client, agent));
    if (own.length === 0 && rules.length === 0) return undefined;
    return {
      key: JSON.stringify([...own, ...rules.map(({ text }) => text)]),
      ...(rules.length === 0 ? {} : { rules }),
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

/** The step for one client: removes what is disabled for it, and notes how others are listed. All keep their names. */
export function withoutDisabled(snapshot: Snapshot, disabled: DisabledForClient | undefined): Snapshot {
  if (disabled === undefined) return snapshot;
  const views = viewsOf(snapshot);
  const view = views.get(disabled.key) ?? remove(snapshot, disabled);
  views.set(disabled.key, view);
  return view;
}

function remove(snapshot: Snapshot, { sets, rules = [] }: DisabledForClient): Snapshot {
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
  const changed = new Map<Entry, Entry | undefined>(removed.map(({ entry }) => [entry, undefined]));
  for (const entry of rules.length === 0 ? [] : catalog.entries) {
    const rule = ruleOf(rules, entry.skill);
    if (rule !== undefined && !changed.has(entry)) changed.set(entry, { ...entry, rule });
  }
  if (changed.size === 0 && others.length === notServed.length) return snapshot;
  const seenAs = (entry: Entry): Entry | undefined => (changed.has(entry) ? changed.get(entry) : entry);
  const entries = catalog.entries.flatMap((entry) => seenAs(entry) ?? []);
  return {
    ...snapshot,
    catalog: { entries, names: namesSeenAs(catalog, seenAs) },
    hasFiles: entries.some(({ skill }) => withFiles.has(skill.realDir)),
    notServed: [...others, ...removed],
    whole: snapshot.whole ?? snapshot,
  };
}

function namesSeenAs({ names }: Catalog, seenAs: (entry: Entry) => Entry | undefined): Catalog["names"] {
  const byName = new Map<string, readonly Entry[]>();
  for (const [name, entries] of names.byName) {
    const left = entries.flatMap((entry) => seenAs(entry) ?? []);
    if (left.length > 0) byName.set(name, left);
  }
  return {
    byName,
    ofQualified(key) {
      const entry = names.ofQualified(key);
      return entry && seenAs(entry);
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
  /** How others are listed, as the dashboard wrote it. */
  readonly listed: ListedSets;
}

const NONE: DisabledSets = { agents: {}, profiles: {}, listed: {} };
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
    const listed = listedIn(data);
    return { sets: { agents: setsIn(data, "agents"), profiles: setsIn(data, "profiles"), listed } };
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

function listedIn(data: object): ListedSets {
  const listed: unknown = "listed" in data ? data.listed : {};
  if (!isRecord(listed)) return {};
  const sets = Object.entries(listed).map(([agent, skills]) => {
    const rules = Object.entries(isRecord(skills) ? skills : {}).filter((pair): pair is [string, Listed] =>
      LISTED.has(pair[1]),
    );
    return [agent, Object.fromEntries(rules)] as const;
  });
  return Object.fromEntries(sets);
}

type Listed = ListedSets[string][string];

const LISTED: ReadonlySet<unknown> = new Set<Listed>(["always", "name-only", "manual", "usual"]);

/** For whom a skill is disabled. */
export function disabledFor({ agents, profiles }: DisabledSets, skill: Skill): readonly DisabledFor[] {
  const key = nameKey(fullName(skill));
  const among = (sets: DisabledSets["agents"], kind: DisabledFor["kind"]): readonly DisabledFor[] =>
    Object.entries(sets)
      .filter(([, names]) => names.some((name) => nameKey(name) === key))
      .map(([name]) => ({ kind, name }));
  return [...among(agents, "agent"), ...among(profiles, "profile")];
}
