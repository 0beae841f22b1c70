/** How bad a finding is, mildest first. */
export const SEVERITIES = ["info", "low", "medium", "high", "critical"] as const;

export type Severity = (typeof SEVERITIES)[number];

const RANKS: ReadonlyMap<Severity, number> = new Map(SEVERITIES.map((severity, rank) => [severity, rank]));

/** Compares severities: above 0 when `a` is worse than `b`. */
export function compareSeverity(a: Severity, b: Severity): number {
  return (RANKS.get(a) ?? 0) - (RANKS.get(b) ?? 0);
}

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return compareSeverity(severity, least) >= 0;
}

/** The worst severity among findings; undefined when there are none. */
export function worstSeverity(findings: readonly { readonly severity: Severity }[]): Severity | undefined {
  return findings.reduce<Severity | undefined>(
    (worst, { severity }) => (worst === undefined || compareSeverity(severity, worst) > 0 ? severity : worst),
    undefined,
  );
}
