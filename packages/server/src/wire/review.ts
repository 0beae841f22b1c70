/** Skills that are served only once they are approved. Like wire.ts, it imports nothing. */
interface WireReviewItem {
  readonly name: string;
  /** `approved`: what is served is what its source holds. `rejected`: somebody decided not to serve what its source holds. */
  readonly state: "new" | "changed" | "approved" | "rejected" | "blocked";
  readonly description: string;
  readonly source: string;
  /** What decided that it is reviewed. */
  readonly rule: string;
  /** Of what its source holds now; absent if that cannot be read. */
  readonly digest?: string;
  /** The version that is served; absent when none is. */
  readonly served?: {
    readonly digest: string;
    readonly at: string;
    readonly by: string;
    readonly commit?: string;
  };
  /** How many approved versions it can be rolled back to. */
  readonly earlier: number;
  /** What `skills-mcp audit` says about what its source holds now. */
  readonly findings: readonly {
    readonly rule: string;
    readonly severity: "info" | "low" | "medium" | "high" | "critical";
    readonly file: string;
    readonly line?: number;
    readonly message: string;
  }[];
  readonly problem?: string;
}

export interface ReviewAnswer {
  readonly skills: readonly WireReviewItem[];
}

export interface ReviewDetailAnswer extends WireReviewItem {
  readonly files: {
    readonly added: readonly string[];
    readonly changed: readonly string[];
    readonly removed: readonly string[];
  };
  /** Unified, with hidden characters as escapes. */
  readonly diff: string;
}
