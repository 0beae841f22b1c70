/**
 * What is wrong with one piece of content, as a value. The caller, which knows the file, turns it into a `Diagnostic`.
 */
export interface Problem {
  readonly code: ProblemCode;
  /** A whole sentence: the reason, and the way out where there is one. Never names the file. */
  readonly message: string;
  /** 1-based line in the file, where one line is to blame. */
  readonly line?: number;
}

type ProblemCode =
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
  | "invocation-field"
  | "library-field";

/** Something wrong with content on the disk: collected, shown, never thrown and never dropped. */
export interface Diagnostic {
  /** `error`: what it names is not served. `warning`: it is served, but someone should fix it. */
  readonly severity: "error" | "warning";
  readonly code: DiagnosticCode;
  readonly file: string;
  readonly line?: number;
  /** A whole sentence: the reason, and the way out where there is one. */
  readonly message: string;
}

export type DiagnosticCode =
  | ProblemCode
  | "not-a-file"
  | "too-large"
  | "unreadable"
  | "root-missing"
  | "root-not-a-folder"
  | "broken-link"
  | "outside-library"
  | "hidden-skills"
  | "scan-limit"
  | "both-enabled-and-disabled"
  | "file-name-case"
  | "plugins-file"
  | "plugin-entry"
  | "settings-file"
  | "synonyms-file";

/** One line for a log: the file, the line where there is one, and the reason. */
export function diagnosticLine(diagnostic: Diagnostic): string {
  const prefix = diagnostic.severity === "error" ? "skipped: " : "";
  return `${prefix}${placeOf(diagnostic)}: ${diagnostic.message}`;
}

/** The file, and the line where there is one. */
export function placeOf({ file, line }: Diagnostic): string {
  return line === undefined ? file : `${file}:${line}`;
}
