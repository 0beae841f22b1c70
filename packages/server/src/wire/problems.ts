/** The one list of what is wrong: `doctor`, `validate` and the audit together. Like wire.ts, it imports nothing. */
export interface WireProblem {
  /** `error`: not served, failing or dangerous. `warning`: served, but to be fixed. `advice`: could be better. */
  readonly severity: "error" | "warning" | "advice";
  readonly check: "doctor" | "validate" | "audit";
  readonly rule: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  /** The skill or the repository. */
  readonly name?: string;
  readonly risk?: "low" | "medium" | "high" | "critical";
}

interface ProblemCounts {
  readonly error: number;
  readonly warning: number;
  readonly advice: number;
}

export interface ProblemsAnswer {
  readonly counts: ProblemCounts;
  /** The worst first. */
  readonly list: readonly WireProblem[];
  /** Files in which something can be corrected without guessing; only with `fixes=1`, for whoever may change them. */
  readonly fixable?: readonly string[];
}
