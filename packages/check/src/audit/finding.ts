import type { Severity } from "#skills";

/** Something in a skill that a person should see before an agent follows it. */
export interface AuditFinding {
  /** The stable id of a rule. */
  readonly rule: string;
  readonly severity: Severity;
  /** Below the skill's folder, with `/`. */
  readonly file: string;
  /** 1-based; absent when it is about the whole file or the whole skill. */
  readonly line?: number;
  /** What was found, on one line, with characters that cannot be seen as escapes. Never a credential. */
  readonly excerpt?: string;
  /** Why it matters and what to do, in whole sentences. */
  readonly message: string;
  /** Set: someone wrote that this is fine. */
  readonly suppressed?: Suppression;
}

export interface Suppression {
  /** A comment in the skill, whose author may be the attacker, or the operator's own settings. */
  readonly by: "comment" | "settings";
  readonly reason: string;
}
