import type { RowFindingsAnswer, SkillFactsAnswer } from "#server/wire";

/** What is known of each row besides `Rows`; undefined until it is there. */
export interface Facts {
  tokens(row: number): number | undefined;
  /** Seconds since 1970. */
  changed(row: number): number | undefined;
  source(row: number): string | undefined;
  /** Loads through a server in 30 days. */
  uses(row: number): number | undefined;
  /** Whether an agent reads it by itself, so that its use is not known. */
  isReadByAgents(row: number): boolean;
  /** A day; empty for a skill that was not used. */
  lastUsed(row: number): string | undefined;
  findings(row: number): { readonly errors: number; readonly others: number } | undefined;
}

const NONE = { errors: 0, others: 0 } as const;

/** Joins the answers that belong to the list with this tag. Others are of a list that is no longer shown. */
export function createFacts(
  tag: string,
  facts: SkillFactsAnswer | undefined,
  findings: RowFindingsAnswer | undefined,
): Facts {
  const known = facts?.tag === tag ? facts : undefined;
  const checked = findings?.tag === tag ? findings : undefined;
  const byRow = new Map(
    checked?.rows.map((row, index) => [
      row,
      { errors: checked.errors[index] ?? 0, others: checked.others[index] ?? 0 },
    ]),
  );
  const read = new Set(known?.readByAgents);
  return {
    tokens: (row) => known?.tokens[row],
    changed: (row) => known?.changed[row] || undefined,
    source: (row) => known && (known.source.values[known.source.at[row] ?? -1] ?? ""),
    uses: (row) => known?.uses[row],
    isReadByAgents: (row) => read.has(row),
    lastUsed: (row) => known && (known.lastUsed.values[known.lastUsed.at[row] ?? -1] ?? ""),
    findings: (row) => (checked === undefined ? undefined : (byRow.get(row) ?? NONE)),
  };
}
