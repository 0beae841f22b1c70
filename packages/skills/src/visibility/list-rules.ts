import { agentCalled, agentName, type ClientInfo, isAgent, nearestAgent, PROVIDERS } from "#agents";
import { nameKey } from "#util/pure";
import { fullName } from "../catalog/catalog.ts";
import { type FilterToken, parseFilterTokens, passesFilter } from "../catalog/filter.ts";
import type { Skill } from "../skill/skill.ts";

/**
 * How the operator wants a skill to be listed: with its whole description before all others, by its name alone, or nowhere. It
 * loads by its name all the same.
 */
export type ListRule = "always" | "name-only" | "manual";

/** The rules of the settings: each text is a filter, alone or as `<filter> for <agent>`. */
export interface RuleLists {
  readonly always: readonly string[];
  readonly name_only: readonly string[];
  readonly manual: readonly string[];
}

/** What the dashboard wrote, by agent (`*` for every one) and full name; `usual` lets no rule of the settings count. */
export type ListedSets = Readonly<Record<string, Readonly<Record<string, ListRule | "usual">>>>;

export const EVERY_AGENT = "*";

/** One rule, understood. */
interface Rule {
  readonly rule: ListRule | "usual";
  /** Undefined: for every agent. */
  readonly agent: string | undefined;
  /** Of several that match, the one with the highest rank counts, and of equal ones the first. */
  readonly rank: number;
  readonly matches: (skill: Skill) => boolean;
  /** Another rule has another text. */
  readonly text: string;
}

/** Where several rules of one rank match, the one that shows less counts. */
const LISTS = [
  ["manual", "manual"],
  ["name_only", "name-only"],
  ["always", "always"],
] as const;

/** The highest rank: what was said of one skill in the dashboard. */
const OF_PAGE = 4;
const OF_AGENT = 2;
const OF_NAME = 1;

/** All rules, those that count first. */
export function listRules(lists: RuleLists | undefined, listed: ListedSets): readonly Rule[] {
  const ofSettings = LISTS.flatMap(([key, rule]) =>
    (lists?.[key] ?? []).flatMap((text): readonly Rule[] => {
      const { token, agent } = readRule(text) ?? {};
      if (token === undefined) return [];
      const isName = token.glob !== "*" && !/[*?]/.test(token.glob);
      const rank = (agent === undefined ? 0 : OF_AGENT) + (isName ? OF_NAME : 0);
      const filter = { include: [token], exclude: [] };
      return [
        { rule, agent, rank, matches: (skill) => passesFilter(filter, skill), text: `${rule} ${text}` },
      ];
    }),
  );
  const ofPage = Object.entries(listed).flatMap(([agent, skills]) => {
    const isEvery = agent === EVERY_AGENT;
    return Object.entries(skills).map(([name, rule]): Rule => {
      const key = nameKey(name);
      const rank = OF_PAGE + (isEvery ? 0 : OF_AGENT);
      const matches = (skill: Skill): boolean => nameKey(fullName(skill)) === key;
      return { rule, agent: isEvery ? undefined : agent, rank, matches, text: `${agent} ${rule} ${name}` };
    });
  });
  return [...ofPage, ...ofSettings].sort((a, b) => b.rank - a.rank);
}

/** Those that concern a client. Before it is known, those for every agent. */
export function rulesFor(rules: readonly Rule[], client: ClientInfo | undefined): readonly Rule[] {
  return rules.filter(({ agent }) => agent === undefined || (client !== undefined && isAgent(client, agent)));
}

/** The rule that counts for a skill; undefined where it is listed as usual. */
export function ruleOf(rules: readonly Rule[], skill: Skill): ListRule | undefined {
  const found = rules.find(({ matches }) => matches(skill))?.rule;
  return found === "usual" ? undefined : found;
}

/** Whether a text of the settings is a rule: a filter, alone or with an agent. An agent that looks misspelled is none. */
export function isListRule(text: string): boolean {
  return readRule(text) !== undefined;
}

function readRule(text: string): { readonly token: FilterToken; readonly agent?: string } | undefined {
  const [, filter = text, agent] = /^(.*\S)\s+for\s+([\w.-]+)\s*$/.exec(text) ?? [];
  if (agent !== undefined && agentCalled(agent) === undefined && nearestAgent(agent) !== undefined)
    return undefined;
  try {
    const [token, another] = parseFilterTokens([filter], PROVIDERS);
    if (token === undefined || another !== undefined) return undefined;
    return agent === undefined ? { token } : { token, agent: agentName(agent) };
  } catch {
    // A filter that means nothing.
    return undefined;
  }
}
