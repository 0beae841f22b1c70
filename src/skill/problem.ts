/**
 * What is wrong with one piece of content, as a value. A problem never throws and never prints; whoever
 * knows the file turns it into a `Diagnostic`.
 */
export interface Problem {
  readonly code: ProblemCode;
  /** A whole sentence: the reason, and the way out where there is one. Never names the file. */
  readonly message: string;
  /** 1-based line in the file, where one line is to blame. */
  readonly line?: number;
}

export type ProblemCode =
  // The file cannot be a skill.
  | "no-front-matter"
  | "front-matter-language"
  | "front-matter-too-long"
  | "front-matter-unreadable"
  | "missing-name"
  | "missing-description"
  | "missing-keywords"
  | "not-utf8"
  // It is a skill, but its author should fix something.
  | "front-matter-recovered"
  | "front-matter-unclosed"
  | "text-before-front-matter"
  | "name-replaced"
  | "library-field";
