import { excerptOf, foldCase } from "../../catalog/all-words.ts";
import { cutText } from "../../catalog/cut-text.ts";
import type { Audience } from "../../catalog/model-entries.ts";
import { readLibraryText } from "../../registry/read/library-texts.ts";
import { readBody } from "../../registry/read/skill-texts.ts";
import { LIBRARY_PROVIDER } from "../../registry/roots/agents.ts";
import type { SearchIndex } from "../../search/engine/index/search-index.ts";
import { searchIndex } from "../../search/engine/rank/rank-skills.ts";
import { describedFor } from "../../skill/invocation.ts";
import type { Location } from "../../skill/skill.ts";
import type { Searchable, SearchableSnapshot } from "./searchable.ts";

interface FoundSkill {
  /** What the `skill` tool loads; of a library skill its path. */
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
  readonly audience: Audience;
  readonly synonyms: ReadonlyMap<string, readonly string[]>;
}

const EXCERPT_LENGTH = 160;

/** The skills that fit a task best: the same ranking for the tool, the command and the dashboard. */
export async function searchSkills(
  skills: SearchableSnapshot,
  index: SearchIndex,
  { task, limit, audience, synonyms }: SearchRequest,
): Promise<SearchResult> {
  const hidden = audience === "models" ? { hidden: skills.hidden } : {};
  const answer = searchIndex(index, task, { limit, synonyms, named: skills.idsNamed(task), ...hidden });
  const results = await Promise.all(
    answer.results.map(async ({ id, score, matched }): Promise<FoundSkill | undefined> => {
      const one = skills.find(id);
      if (one === undefined) return undefined;
      const excerpt = await excerptFor(one, matched);
      return { ...describe(one), score, matched, excerpt };
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

function describe(found: Searchable): Omit<FoundSkill, "score" | "matched" | "excerpt"> {
  if (found.kind === "skill") {
    const { listedAs, skill } = found.entry;
    const { provider, location, dir } = skill;
    return { name: listedAs, description: describedFor(skill), provider, location, skillPath: dir };
  }
  const { path, description, location, file } = found.skill;
  return { name: path, description, provider: LIBRARY_PROVIDER, location, skillPath: file, skill_path: path };
}

/** The description where it shows why the skill was found, else the text around the first word that does. */
async function excerptFor(found: Searchable, matched: readonly string[]): Promise<string> {
  const description = found.kind === "skill" ? describedFor(found.entry.skill) : found.skill.description;
  const folded = foldCase(description);
  const words = matched.map(foldCase);
  if (!words.some((word) => folded.includes(word))) {
    const excerpt = excerptOf((await bodyOf(found)) ?? "", words);
    if (excerpt !== undefined) return excerpt;
  }
  return cutText(description, EXCERPT_LENGTH);
}

async function bodyOf(found: Searchable): Promise<string | undefined> {
  if (found.kind === "skill") return readBody(found.entry.skill);
  const text = await readLibraryText(found.skill);
  return text.ok ? text.body : undefined;
}
