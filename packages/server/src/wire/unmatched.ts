/** Searches that found nothing, grouped by what they mean. Like wire.ts, it imports nothing. */
export interface UnmatchedAnswer {
  readonly since: string;
  readonly until: string;
  /** The most frequent first. */
  readonly groups: readonly {
    readonly count: number;
    /** The most frequent first. */
    readonly queries: readonly {
      readonly query: string;
      readonly count: number;
      readonly kind: "search" | "name";
    }[];
  }[];
}
