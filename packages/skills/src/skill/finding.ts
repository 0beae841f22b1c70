/** What the Agent Skills specification, or good practice, says about a place in a skill. */
export interface Finding {
  /** `error`: the specification is broken, or agents will fail. `advice`: it works, but could be better. */
  readonly severity: "error" | "advice";
  readonly rule: string;
  /** 1-based line of the file, where one line is to blame. */
  readonly line?: number;
  /** A whole sentence with the way out. */
  readonly message: string;
  /** Set for what the audit finds: how dangerous it is. */
  readonly risk?: "low" | "medium" | "high" | "critical";
}
