/** What `skills-mcp validate` says about the skills that are served. Like wire.ts, it imports nothing. */
export interface FindingsAnswer {
  readonly files: readonly {
    readonly file: string;
    readonly name?: string;
    readonly findings: readonly {
      readonly severity: "error" | "advice";
      readonly rule: string;
      readonly line?: number;
      readonly message: string;
      /** Set for what the audit finds. */
      readonly risk?: "low" | "medium" | "high" | "critical";
    }[];
  }[];
}
