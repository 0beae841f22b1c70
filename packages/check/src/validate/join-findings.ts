import type { Diagnostic, Finding } from "#skills";
import type { ValidatedFile } from "./check-folder.ts";

/**
 * `error`: something is not served or fails, or a skill is dangerous. `warning`: it is served, but somebody should fix it.
 * `advice`: it works, and could be better.
 */
export type FindingSeverity = "error" | "warning" | "advice";

/** The worst first. */
const ORDER: readonly FindingSeverity[] = ["error", "warning", "advice"];

/** Sorts severities, the worst first. */
export function compareFindings(a: FindingSeverity, b: FindingSeverity): number {
  return ORDER.indexOf(a) - ORDER.indexOf(b);
}

/** A skill that breaks a rule is served all the same; one that is dangerous is, too, and must not wait. */
export function severityOf({ severity, risk }: Pick<Finding, "severity" | "risk">): FindingSeverity {
  if (risk === "critical" || risk === "high") return "error";
  if (risk === "medium") return "warning";
  return risk === undefined && severity === "error" ? "warning" : "advice";
}

/**
 * What the scan and the checks say about one line by one rule is one finding: the worse one stays. Of two that are equally
 * bad, what the audit says stays, because it names the risk.
 */
export function joinFindings<D extends Diagnostic>(
  diagnostics: readonly D[],
  files: readonly ValidatedFile[],
): { readonly diagnostics: readonly D[]; readonly files: readonly ValidatedFile[] } {
  const reported = new Map(
    diagnostics.map((each) => [placeOf(each.file, each.code, each.line), each.severity]),
  );
  const replaced = new Set<string>();
  const left = files.map(({ findings, ...rest }) => ({
    ...rest,
    findings: findings.filter((finding) => {
      const place = placeOf(rest.file, finding.rule, finding.line);
      const severity = reported.get(place);
      if (severity === undefined) return true;
      if (!replaces(finding, severity)) return false;
      replaced.add(place);
      return true;
    }),
  }));
  return {
    diagnostics: diagnostics.filter(({ file, code, line }) => !replaced.has(placeOf(file, code, line))),
    files: left.filter(({ findings }) => findings.length > 0),
  };
}

/** Joins what `validate` and the audit say about one file in the same way. What breaks a rule stays an error of `validate`. */
export function joinAudit(own: readonly Finding[], audited: readonly Finding[]): readonly Finding[] {
  const sameAs = (finding: Finding, all: readonly Finding[]): Finding | undefined =>
    all.find(({ rule, line }) => rule === finding.rule && line === finding.line);
  const isLeft = (finding: Finding): boolean => {
    const other = sameAs(finding, audited);
    return other === undefined || !replaces(other, severityOf(finding));
  };
  return [
    ...own.filter(isLeft),
    ...audited.flatMap((finding) => {
      const other = sameAs(finding, own);
      if (other === undefined) return [finding];
      if (isLeft(other)) return [];
      return [other.severity === "error" ? { ...finding, severity: other.severity } : finding];
    }),
  ];
}

function replaces(finding: Finding, severity: FindingSeverity): boolean {
  return finding.risk !== undefined && compareFindings(severityOf(finding), severity) <= 0;
}

function placeOf(file: string, rule: string, line = 0): string {
  return `${file}\0${rule}\0${line}`;
}
