/** Something to fix, or to think about, in one place of one file. */
export interface ValidationFinding {
  readonly severity: "error" | "advice";
  readonly rule: string;
  readonly line?: number;
  readonly message: string;
}

export interface ValidatedFile {
  readonly file: string;
  readonly name?: string;
  readonly findings: readonly ValidationFinding[];
}
