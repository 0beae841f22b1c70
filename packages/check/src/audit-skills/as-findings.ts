import { type Finding, isAtLeast } from "#skills";
import { defined } from "#util/pure";
import type { AuditFinding } from "../audit/finding.ts";
import { shownFindings } from "./audit-skill.ts";

/** Rules of the audit that `validate` has under another name. */
const KNOWN_TO_VALIDATE: ReadonlySet<string> = new Set(["missing-file"]);

/** What the audit found, as `validate`, `doctor` and the dashboard show it, by the path of the file. */
export function asFindings(audited: readonly AuditFinding[]): ReadonlyMap<string, readonly Finding[]> {
  const byFile = new Map<string, Finding[]>();
  for (const finding of shownFindings(audited)) {
    const { rule, severity: risk, file, line, message, excerpt } = finding;
    if (risk === "info" || KNOWN_TO_VALIDATE.has(rule)) continue;
    const shown = excerpt === undefined ? message : `${message} Found: ${excerpt}`;
    const found = byFile.get(file) ?? [];
    const severity = isAtLeast(risk, "high") ? "error" : "advice";
    found.push({ severity, rule, message: shown, risk, ...defined({ line }) });
    byFile.set(file, found);
  }
  return byFile;
}
