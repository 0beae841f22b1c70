import { cutText } from "../catalog/cut-text.ts";
import { type Hit, searchCatalog } from "../catalog/search.ts";
import type { Snapshot } from "../registry/registry.ts";
import type { Location } from "../skill/skill.ts";

interface FoundSkill {
  /** What the `skill` tool loads. */
  readonly name: string;
  readonly description: string;
  readonly provider: string;
  readonly location: Location;
  readonly skillPath: string;
  readonly score: number;
  readonly matched: readonly string[];
  readonly excerpt: string;
}

export interface SearchResult {
  readonly task: string;
  /** How many skills matched, of which `results` are the best. */
  readonly total: number;
  readonly results: readonly FoundSkill[];
}

const EXCERPT_LENGTH = 160;

/** The skills that fit a task best. The same answer for the tool and for people. */
export function searchSkills({ catalog }: Snapshot, task: string, limit: number): SearchResult {
  const hits = searchCatalog(catalog, task);
  return { task, total: hits.length, results: hits.slice(0, limit).map(toFoundSkill) };
}

function toFoundSkill({ entry, score, matched }: Hit): FoundSkill {
  const { skill, listedAs } = entry;
  return {
    name: listedAs,
    description: skill.description,
    provider: skill.provider,
    location: skill.location,
    skillPath: skill.dir,
    score,
    matched,
    excerpt: cutText(skill.description, EXCERPT_LENGTH),
  };
}
