import { readOwnSettings } from "#config";
import { isAtLeast, type SkillContent } from "#skills";
import { auditSkillFiles } from "../audit/audit-skill.ts";
import type { AuditFinding } from "../audit/finding.ts";
import { suppressionBySettings } from "../audit/suppress.ts";
import {
  type AuditedPlace,
  auditedContent,
  type ReadOptions,
  readAuditedSkill,
} from "./read-audited-skill.ts";

/** What `audit.ignore` of the operator's own settings lists. */
export async function ignoredRules(home: string): Promise<readonly string[]> {
  return (await readOwnSettings(home)).audit.ignore;
}

export interface AuditOptions extends ReadOptions {
  /** What `audit.ignore` of the operator's settings lists. */
  readonly ignore?: readonly string[];
}

/**
 * What the audit finds in a skill as it is on the disk now, the worst first. Nothing is left out: what a comment in the
 * skill or the operator's settings say is fine is marked as suppressed; `activeFindings` chooses whom to believe.
 */
export async function auditSkill(
  skill: AuditedPlace & { readonly name: string },
  { ignore = [], ...reading }: AuditOptions = {},
): Promise<readonly AuditFinding[]> {
  return withSettings(auditSkillFiles(await readAuditedSkill(skill, reading)), skill.name, ignore);
}

/** Audits files in memory: a skill that was fetched, or a stored version of one. */
export function auditContent(
  content: SkillContent,
  { name, fileName = "SKILL.md" }: { readonly name: string; readonly fileName?: string },
  { ignore = [] }: Pick<AuditOptions, "ignore"> = {},
): readonly AuditFinding[] {
  return withSettings(auditSkillFiles(auditedContent(content, fileName)), name, ignore);
}

/** Marks the findings that the operator's settings say are fine. */
function withSettings(
  findings: readonly AuditFinding[],
  name: string,
  ignore: readonly string[],
): readonly AuditFinding[] {
  if (ignore.length === 0) return findings;
  return findings.map((finding) => {
    const suppressed = suppressionBySettings(ignore, name, finding.rule);
    return suppressed === undefined ? finding : { ...finding, suppressed };
  });
}

/**
 * The findings that count. Comments in a skill are its author's word: believe them in a skill that is your own, and not
 * where the question is whether to trust the author.
 */
export function activeFindings(
  findings: readonly AuditFinding[],
  { trustComments }: { readonly trustComments: boolean },
): readonly AuditFinding[] {
  return findings.filter(
    ({ suppressed }) => suppressed === undefined || (suppressed.by === "comment" && !trustComments),
  );
}

/**
 * The findings that people see beside other things about a skill. What a comment silences is mild there, but does not
 * vanish if it is serious: the comment may be the attacker's.
 */
export function shownFindings(findings: readonly AuditFinding[]): readonly AuditFinding[] {
  return activeFindings(findings, { trustComments: false }).flatMap((finding) => {
    if (finding.suppressed === undefined) return [finding];
    if (!isAtLeast(finding.severity, "high")) return [];
    const { suppressed: _by, ...rest } = finding;
    const note = `A comment in the skill says that this is fine; without it, this would be ${finding.severity}.`;
    return [{ ...rest, severity: "low", message: `${note} ${finding.message}` }];
  });
}
