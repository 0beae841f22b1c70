import type { Snapshot } from "#skills";
import type { SearchIndex } from "./engine/index/search-index.ts";
import { aboveFloor } from "./engine/rank/floor.ts";
import { parseQuery } from "./engine/rank/parse-query.ts";
import { rankDocuments, type SearchOptions } from "./engine/rank/rank-skills.ts";
import { resolveTerms } from "./engine/rank/resolve-terms.ts";
import type { SearchIndexSource } from "./lazy-search.ts";
import { searchableSnapshot } from "./searchable.ts";

/** Why a skill was found, by its name or, for a library skill, its path. */
interface ExplainedSkill {
  readonly name: string;
  readonly isLibrary: boolean;
  readonly coverage: number;
  readonly meaning: number;
  readonly aboveFloor: number;
}

/** The best skills for a task as models search them, with what speaks for each of them. */
export async function explainSearch(
  app: SearchIndexSource,
  snapshot: Snapshot,
  task: string,
  limit: number,
): Promise<readonly ExplainedSkill[]> {
  const skills = searchableSnapshot(snapshot);
  const { index, synonyms } = await app.searchIndex();
  const options = { limit, synonyms, named: skills.idsNamed(task), leftOut: skills.notFor("models") };
  return explainRanking(index, task, options).flatMap(
    ({ id, coverage, meaning, aboveFloor }): readonly ExplainedSkill[] => {
      const found = skills.find(id);
      if (found === undefined) return [];
      const why = { coverage, meaning, aboveFloor };
      return found.kind === "skill"
        ? [{ name: found.entry.listedAs, isLibrary: false, ...why }]
        : [{ name: found.skill.path, isLibrary: true, ...why }];
    },
  );
}

/** Why a document has its place. */
interface Explained {
  readonly id: string;
  readonly score: number;
  /** The share of the query, by weight, that the document contains: 0 to 1. */
  readonly coverage: number;
  /** How alike their meanings are, of the head or the best passage: 0 to 1; 0 without a table of words. */
  readonly meaning: number;
  /** How far it is above the floor, below 0 where it does not fit. */
  readonly aboveFloor: number;
}

/** The best documents for a query, whether they fit or not, best first. */
export function explainRanking(
  index: SearchIndex,
  query: string,
  options: SearchOptions,
): readonly Explained[] {
  const parsed = parseQuery(query, options.synonyms);
  const resolved = resolveTerms(index, parsed);
  const { ranked, toAll } = rankDocuments(index, parsed, resolved, options);
  const above = aboveFloor(index, { ...resolved, toAll });
  return ranked.slice(0, options.limit).map((found) => ({
    id: found.id,
    score: found.score,
    coverage: found.coverage,
    meaning: Math.max(found.head, found.passage),
    aboveFloor: above(found),
  }));
}
