import { compareSeverity } from "#skills";
import { compareText, defined } from "#util/pure";
import type { AuditedSkill } from "./audited-skill.ts";
import type { AuditFinding } from "./finding.ts";
import { createMatcher } from "./match-text.ts";
import { TEXT_RULES } from "./rules/all-rules.ts";
import { SKILL_RULES } from "./rules/whole-skill.ts";
import { readSkillParts } from "./skill-parts.ts";
import { createSuppressions } from "./suppress.ts";
import { excerptOf } from "./text/excerpt.ts";

const matchText = createMatcher(TEXT_RULES);

/** Everything that the rules find in a skill, the worst first; what someone said is fine is marked and not left out. */
export function auditSkillFiles(skill: AuditedSkill): readonly AuditFinding[] {
  const findings: AuditFinding[] = [];
  const reading = readSkillParts(skill);
  for (const rule of SKILL_RULES) {
    for (const { file, line, severity = rule.severity, found, why = rule.why } of rule.check(reading))
      findings.push({
        ...{ rule: rule.id, severity, file },
        ...defined({ line, excerpt: found === undefined ? undefined : excerptOf(found) }),
        message: `${why} ${rule.fix}`,
      });
  }
  for (const { path, content } of skill.files) {
    if (content.kind !== "text") continue;
    const { isAboutAttacks } = reading;
    for (const { rule, severity, line, text } of matchText({ path, text: content.text, isAboutAttacks })) {
      const message = `${rule.why} ${rule.fix}`;
      findings.push({ rule: rule.id, severity, file: path, line, excerpt: excerptOf(text), message });
    }
  }
  const isSuppressed = createSuppressions(skill);
  return findings.map((finding) => ({ ...finding, ...isSuppressed(finding) })).sort(inOrder);
}

/** The worst first, then by place, so that the same skill gives the same list. */
function inOrder(a: AuditFinding, b: AuditFinding): number {
  return (
    compareSeverity(b.severity, a.severity) ||
    compareText(a.file, b.file) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compareText(a.rule, b.rule)
  );
}
