import { useEffect, useState } from "preact/hooks";
import type { SearchAnswer } from "#server/wire";
import { useDashboard } from "../state/context.ts";
import { foundKey } from "../state/route.ts";
import { useResource } from "../state/use-resource.ts";

const DEBOUNCE_MS = 120;

export interface RankedSearch {
  /** What `find_skills` ranks, best first, by key. */
  readonly ranked: readonly string[];
  readonly answer: SearchAnswer | undefined;
  readonly isSearching: boolean;
}

/** Runs the ranked search while the user types: debounced, and only the last answer counts. */
export function useSearch(query: string): RankedSearch {
  const { client, generation } = useDashboard();
  const [settled, setSettled] = useState(query.trim());
  useEffect(() => {
    const timer = setTimeout(() => setSettled(query.trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [query]);

  const { value, isLoading } = useResource(settled === "" ? undefined : settled, generation, (signal) =>
    client.get<SearchAnswer>("search", { q: settled }, signal),
  );
  const isCurrent = settled === query.trim();
  return {
    ranked: isCurrent && value !== undefined ? value.results.map(foundKey) : [],
    answer: isCurrent ? value : undefined,
    isSearching: query.trim() !== "" && (!isCurrent || isLoading),
  };
}
