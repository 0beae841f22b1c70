import { excerptOf, foldCase } from "../catalog/all-words.ts";
import { cutText } from "../catalog/cut-text.ts";
import type { SearchIndex } from "../catalog/search/index-of-skills.ts";
import { searchIndex } from "../catalog/search/index-of-skills.ts";
import type { Snapshot } from "../registry/registry.ts";
import { searchIdOf } from "../registry/search-keeper.ts";
import { readBody } from "../registry/skill-texts.ts";
import type { Location, Skill } from "../skill/skill.ts";

interface FoundSkill {
  /** What the `skill` tool loads. */
  readonly name: string;
  readonly description: string;
  readonly provider: string;
  readonly location: Location;
  readonly skillPath: string;
  /** What `get_skill` takes, for a library skill. */
  readonly skill_path?: string;
  readonly score: number;
  readonly matched: readonly string[];
  readonly excerpt: string;
}

export interface SearchResult {
  readonly task: string;
  /** How many skills matched, of which `results` are the best. */
  readonly total: number;
  readonly results: readonly FoundSkill[];
  /** How likely it is that the first result is the right one, from 0 to 1. */
  readonly confidence: number;
  readonly verdict: "match" | "ambiguous" | "no_match";
}

export interface SearchRequest {
  readonly task: string;
  readonly limit: number;
  readonly synonyms: ReadonlyMap<string, readonly string[]>;
}

const EXCERPT_LENGTH = 160;

/** The skills that fit a task best. The same answer for the tool and for people. */
export async function searchSkills(
  { catalog }: Snapshot,
  index: SearchIndex,
  { task, limit, synonyms }: SearchRequest,
): Promise<SearchResult> {
  const answer = searchIndex(index, task, { limit, synonyms });
  const wanted = new Set(answer.results.map((ranked) => ranked.id));
  const entries = new Map(
    catalog.entries
      .filter((entry) => wanted.has(searchIdOf(entry)))
      .map((entry) => [searchIdOf(entry), entry]),
  );
  const results = await Promise.all(
    answer.results.map(async ({ id, score, matched }): Promise<FoundSkill | undefined> => {
      const entry = entries.get(id);
      if (entry === undefined) return undefined;
      const { skill, listedAs } = entry;
      return {
        name: listedAs,
        description: skill.description,
        provider: skill.provider,
        location: skill.location,
        skillPath: skill.dir,
        score,
        matched,
        excerpt: await excerptFor(skill, matched),
      };
    }),
  );
  return {
    task,
    total: answer.total,
    results: results.filter((result) => result !== undefined),
    confidence: Math.round(answer.confidence * 100) / 100,
    verdict: answer.verdict,
  };
}

/** The description where it shows why the skill was found, else the place in the text that does. */
async function excerptFor(skill: Skill, matched: readonly string[]): Promise<string> {
  const description = foldCase(skill.description);
  const words = matched.map(foldCase);
  if (!words.some((word) => description.includes(word))) {
    const found = excerptOf((await readBody(skill)) ?? "", words);
    if (found !== undefined) return found;
  }
  return cutText(skill.description, EXCERPT_LENGTH);
}
