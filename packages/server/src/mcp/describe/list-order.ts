import type { Entry } from "#skills";
import { createTopicMatch, type ProjectTopics } from "./project-topics.ts";

/** What decides which skills come first in lists that are cut. */
export interface LikelyUse {
  /** By the names that lists show. */
  readonly recent: ReadonlySet<string>;
  readonly project: ProjectTopics;
}

/** Skills in the order in which a list that is cut shows them. */
export interface OrderedSkills {
  readonly entries: readonly Entry[];
  /** How many come first for each reason, in this order; the others follow. */
  readonly first: {
    readonly always: number;
    readonly near: number;
    readonly recent: number;
    readonly fitting: number;
  };
}

/** What the operator always wants to be listed first, and what by its name alone last. The same list without such rules. */
export function byRule(entries: readonly Entry[]): readonly Entry[] {
  if (entries.every(({ rule }) => rule === undefined)) return entries;
  const first = entries.filter(({ rule }) => rule === "always");
  const last = entries.filter(({ rule }) => rule === "name-only");
  return [...first, ...entries.filter(({ rule }) => rule !== "always" && rule !== "name-only"), ...last];
}

/**
 * What the operator always wants first, then this project's skills, then those that were used lately, then those that fit what the project is made of, by name
 * before by description, then all others; each in the order of the catalog.
 */
export function byLikelyUse(entries: readonly Entry[], { recent, project }: LikelyUse): OrderedSkills {
  const matchOf = createTopicMatch(project);
  const always: Entry[] = [];
  const names: Entry[] = [];
  const near: Entry[] = [];
  const used: Entry[] = [];
  /** By how well they fit. */
  const others: [Entry[], Entry[], Entry[]] = [[], [], []];
  for (const entry of entries) {
    const { skill, listedAs, rule } = entry;
    if (rule === "always") always.push(entry);
    else if (rule === "name-only") names.push(entry);
    else if (skill.provider === "file" || skill.location === "project") near.push(entry);
    else if (recent.has(listedAs)) used.push(entry);
    else others[matchOf(listedAs, skill.description)].push(entry);
  }
  const [none, byDescription, byName] = others;
  return {
    entries: [...always, ...near, ...used, ...byName, ...byDescription, ...none, ...names],
    first: {
      always: always.length,
      near: near.length,
      recent: used.length,
      fitting: byName.length + byDescription.length,
    },
  };
}
