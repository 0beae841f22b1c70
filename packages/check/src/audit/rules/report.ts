import type { Severity } from "#skills";

/** What a rule that is more than patterns reports. */
export interface Report {
  readonly file: string;
  readonly line?: number;
  readonly severity?: Severity;
  /** What was found. Absent where it must not be shown. */
  readonly found?: string;
  /** In place of the rule's reason. */
  readonly why?: string;
}
