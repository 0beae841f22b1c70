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
  | "hidden-characters"
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
  | "refused-link"
  | "outside-library"
  | "hidden-skills"
  | "takes-place"
  | "scan-limit"
  | "both-enabled-and-disabled"
  | "file-name-case"
  | "plugins-file"
  | "plugin-entry"
  | "settings-file"
  | "dependencies"
  | "plugin-stale"
  | "synonyms-file";

/** More skills of a project that take the place of others are one line: copies of a user's skills come in numbers. */
const MOST_TAKEN = 3;

/** The lines of a log for these, each once, with how bad it is. */
export function diagnosticLines(
  diagnostics: readonly Diagnostic[],
): ReadonlyMap<string, Diagnostic["severity"]> {
  const taken = diagnostics.filter(({ code }) => code === "takes-place");
  const isMany = taken.length > MOST_TAKEN;
  const lines = new Map(
    diagnostics
      .filter(({ code }) => !isMany || code !== "takes-place")
      .map((each) => [diagnosticLine(each), each.severity]),
  );
  const [first] = taken;
  if (isMany && first !== undefined)
    lines.set(
      `${taken.length} skills of this project are loaded instead of yours of the same name, such as ${first.file}; \`skills-mcp doctor\` lists them`,
      first.severity,
    );
  return lines;
}

/** One line for a log: the file, the line where there is one, and the reason. */
export function diagnosticLine(diagnostic: Diagnostic): string {
  const prefix = diagnostic.severity === "error" ? "skipped: " : "";
  return `${prefix}${placeOf(diagnostic)}: ${diagnostic.message}`;
}

/** The file, and the line where there is one. */
export function placeOf({ file, line }: Diagnostic): string {
  return line === undefined ? file : `${file}:${line}`;
}

/** Problems of a folder or a list of plugins, not of one skill. */
const NOT_OF_A_SKILL: ReadonlySet<DiagnosticCode> = new Set([
  "root-missing",
  "root-not-a-folder",
  "scan-limit",
  "plugins-file",
  "plugin-entry",
  "settings-file",
  "dependencies",
  "plugin-stale",
]);

/** Whether a problem is the reason why a file is not served as a skill. */
export function isBrokenSkill({ severity, code }: Diagnostic): boolean {
  return severity === "error" && !NOT_OF_A_SKILL.has(code);
}

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

/** How bad a finding is, mildest first. */
export const SEVERITIES = ["info", "low", "medium", "high", "critical"] as const;

export type Severity = (typeof SEVERITIES)[number];

const RANKS: ReadonlyMap<Severity, number> = new Map(SEVERITIES.map((severity, rank) => [severity, rank]));

/** Compares severities: above 0 when `a` is worse than `b`. */
export function compareSeverity(a: Severity, b: Severity): number {
  return (RANKS.get(a) ?? 0) - (RANKS.get(b) ?? 0);
}

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return compareSeverity(severity, least) >= 0;
}

/** The worst severity among findings; undefined when there are none. */
export function worstSeverity(findings: readonly { readonly severity: Severity }[]): Severity | undefined {
  return findings.reduce<Severity | undefined>(
    (worst, { severity }) => (worst === undefined || compareSeverity(severity, worst) > 0 ? severity : worst),
    undefined,
  );
}
