import type { SearchResult } from "../search/search-skills.ts";

/** A skill that may do instead, where no keyword fits. */
export interface Suggestion {
  readonly name: string;
  readonly description: string;
  /** What `get_skill` takes, for a library skill; any other is loaded by its name. */
  readonly skill_path?: string;
}

export const MOST_SUGGESTIONS = 3;

export function suggestionsFrom({ results }: SearchResult): readonly Suggestion[] {
  return results.map(({ name, description, skill_path }) => ({
    name,
    description,
    ...(skill_path === undefined ? {} : { skill_path }),
  }));
}
