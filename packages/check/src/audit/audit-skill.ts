import { compareSeverity } from "#skills";
import { compareText, defined } from "#util/pure";
import type { AuditedSkill } from "./audited-skill.ts";
import type { AuditFinding } from "./finding.ts";
import { createMatcher } from "./match-text.ts";
import type { RuleInfo } from "./rule.ts";
import { ALL_RULES, TEXT_RULES } from "./rules/all-rules.ts";
import { createEnds, type FileWithEnds, FLOW_WORDS, flowsIn } from "./rules/flows.ts";
import { SKILL_RULES } from "./rules/whole-skill.ts";
import { readSkillParts } from "./skill-parts.ts";
import { createSuppressions } from "./suppress.ts";
import { excerptOf } from "./text/excerpt.ts";

const matchText = createMatcher(TEXT_RULES, FLOW_WORDS);

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
  const flowFiles: FileWithEnds[] = [];
  for (const file of reading.views) {
    if (file.isBundled) continue;
    const { ends, add } = createEnds();
    flowFiles.push({ view: file, ends });
    const { matches, cutAt } = matchText(file, add);
    if (cutAt !== undefined) findings.push(notComparedFrom(file.path, cutAt));
    for (const { rule, severity, line, text } of matches)
      findings.push(findingOf(rule, { severity, file: file.path, line, excerpt: excerptOf(text) }));
  }
  for (const { rule: id, severity, path, line, text, from } of flowsIn(flowFiles)) {
    const rule = ALL_RULES.find((each) => each.id === id);
    const found = { severity, file: path, line, excerpt: excerptOf(text) };
    if (rule === undefined) continue;
    const finding = findingOf(rule, found, from && `It comes from ${from.path}:${from.line}.`);
    const known = findings.findIndex((each) => placeOf(each) === placeOf(finding));
    if (known < 0) findings.push(finding);
    else if (compareSeverity(severity, findings[known]?.severity ?? "info") > 0) findings[known] = finding;
  }
  const isSuppressed = createSuppressions(skill);
  return findings.map((finding) => ({ ...finding, ...isSuppressed(finding) })).sort(inOrder);
}

const NOT_AUDITED = SKILL_RULES.find(({ id }) => id === "not-audited");

function notComparedFrom(file: string, line: number): AuditFinding {
  const why = "The audit stopped at this line, because too many lines above it have words of its rules.";
  return { rule: "not-audited", severity: "medium", file, line, message: `${why} ${NOT_AUDITED?.fix ?? ""}` };
}

function findingOf(
  { id, why, fix }: RuleInfo,
  found: Omit<AuditFinding, "rule" | "message">,
  note?: string,
): AuditFinding {
  return { rule: id, ...found, message: [why, ...(note === undefined ? [] : [note]), fix].join(" ") };
}

function placeOf({ rule, file, line }: AuditFinding): string {
  return `${rule} ${file}:${line ?? ""}`;
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
