import { compareFindings, type FindingSeverity, joinFindings, severityOf, type ValidatedFile } from "#check";
import type { Finding } from "#skills";
import type { Health } from "./health.ts";

/** Something to know or to fix, whichever check found it. */
export interface AnyFinding {
  readonly severity: FindingSeverity;
  /** The command that explains it. */
  readonly check: "doctor" | "validate" | "audit";
  readonly rule: string;
  readonly message: string;
  /** Of a file; a repository or the server has none. */
  readonly file?: string;
  readonly line?: number;
  /** The skill or the repository. */
  readonly name?: string;
  readonly risk?: NonNullable<Finding["risk"]>;
}

export type FindingCounts = Readonly<Record<FindingSeverity, number>>;

export interface FindingsInput {
  readonly health: Pick<Health, "diagnostics" | "git" | "sandbox">;
  /** What `validate` and the audit say; undefined where they were not asked. */
  readonly files: readonly ValidatedFile[] | undefined;
  /** A server over HTTP does not start with these. */
  readonly wrongSettings?: readonly { readonly place: string; readonly message: string }[];
}

/** The one list of everything that is wrong, the worst first. Whoever shows a number counts it. */
export function allFindings({
  health,
  files: checked = [],
  wrongSettings = [],
}: FindingsInput): readonly AnyFinding[] {
  const { git, sandbox } = health;
  const { diagnostics, files } = joinFindings(health.diagnostics, checked);
  const found: readonly AnyFinding[] = [
    ...wrongSettings.map(({ place, message }) => fromDoctor("error", "settings", message, { file: place })),
    ...diagnostics.map(({ severity, code, message, file, line }) =>
      fromDoctor(severity, code, message, { file, ...(line === undefined ? {} : { line }) }),
    ),
    ...git.flatMap(({ name, failure }) =>
      failure === undefined ? [] : [fromDoctor("error", "repository-failing", failure.message, { name })],
    ),
    ...(sandbox === "off" || sandbox.warning === undefined
      ? []
      : [fromDoctor("warning", "no-sandbox", sandbox.warning, {})]),
    ...files.flatMap(({ file, name, findings }) =>
      findings.map(
        ({ severity, rule, message, line, risk }): AnyFinding => ({
          severity: severityOf({ severity, ...(risk === undefined ? {} : { risk }) }),
          check: risk === undefined ? "validate" : "audit",
          rule,
          message,
          file,
          ...(line === undefined ? {} : { line }),
          ...(name === undefined ? {} : { name }),
          ...(risk === undefined ? {} : { risk }),
        }),
      ),
    ),
  ];
  return [...found].sort((a, b) => compareFindings(a.severity, b.severity));
}

export function countFindings(findings: readonly Pick<AnyFinding, "severity">[]): FindingCounts {
  const counts = { error: 0, warning: 0, advice: 0 };
  for (const { severity } of findings) counts[severity]++;
  return counts;
}

function fromDoctor(
  severity: "error" | "warning",
  rule: string,
  message: string,
  place: Pick<AnyFinding, "file" | "line" | "name">,
): AnyFinding {
  return { severity, check: "doctor", rule, message, ...place };
}
