import type { Snapshot } from "#skills";
import { explainRanking } from "./engine/rank/explain.ts";
import type { SearchIndexSource } from "./lazy-search.ts";
import { searchableSnapshot } from "./searchable.ts";

/** Why a skill was found, by its name or, for a library skill, its path. */
export interface ExplainedSkill {
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
  const options = { limit, synonyms, named: skills.idsNamed(task), hidden: skills.notFor("models") };
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
