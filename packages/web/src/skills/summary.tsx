import { useMemo } from "preact/hooks";
import { EXAMPLE_LABEL } from "#util/pure";
import { count, formatNumber } from "../parts/format.ts";
import type { Facts } from "./facts.ts";
import type { Rows } from "./rows.ts";
import type { RankedSearch } from "./use-search.ts";

/** How many skills are shown and what they cost, or what a search found. */
export function Summary({
  rows,
  facts,
  shown,
  query,
  found,
}: {
  readonly rows: Rows;
  readonly facts: Facts;
  readonly shown: readonly number[];
  readonly query: string;
  readonly found: RankedSearch;
}) {
  const { answer, ranked, isSearching } = found;
  const tokens = useMemo(() => shown.reduce((sum, row) => sum + (facts.tokens(row) ?? 0), 0), [facts, shown]);
  const hasExamples = useMemo(() => shown.some((row) => facts.source(row) === EXAMPLE_LABEL), [facts, shown]);
  if (query.trim() === "") {
    const skills =
      shown.length === rows.count
        ? count(shown.length, "skill")
        : `${formatNumber(shown.length)} of ${count(rows.count, "skill")}`;
    return (
      <>
        {skills}
        {hasExamples ? ", bundled examples included" : ""}
        {tokens === 0 ? null : ` · about ${formatNumber(tokens)} tokens if all were loaded`}
      </>
    );
  }
  if (isSearching || answer === undefined) return <>Searching …</>;
  const verdict = {
    match: "a clear match",
    ambiguous: "several equal matches",
    no_match: "nothing fits well",
  }[answer.verdict];
  return (
    <>
      {formatNumber(shown.length)} found · {ranked.length} ranked by find_skills: {verdict}
    </>
  );
}
