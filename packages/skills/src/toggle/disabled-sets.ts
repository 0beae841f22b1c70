import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describeError } from "#util";
import { nameKey } from "#util/pure";
import { fullName } from "../catalog/catalog.ts";
import type { Skill } from "../skill/skill.ts";

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
