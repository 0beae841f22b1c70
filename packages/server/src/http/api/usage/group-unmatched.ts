import type { WordTable } from "#search";
import { groupTexts } from "#search";
import type { UnmatchedAnswer } from "../../../wire/unmatched.ts";
import type { UsageAnswer } from "../../../wire/usage.ts";

/** Puts unmatched searches together that ask for the same thing. */
export function groupUnmatched(
  noMatch: UsageAnswer["noMatch"],
  table: WordTable | undefined,
): UnmatchedAnswer["groups"] {
  const sorted = [...noMatch].sort((a, b) => b.count - a.count);
  const texts = sorted.map(({ query, kind }) => (kind === "name" ? query.replace(/[-_:/]+/g, " ") : query));
  return groupTexts(texts, table)
    .map(({ members }) => {
      const queries = members.flatMap((place) => sorted[place] ?? []);
      return { count: queries.reduce((sum, { count }) => sum + count, 0), queries };
    })
    .sort((a, b) => b.count - a.count);
}
