export type { AuditFinding } from "./audit/finding.ts";
export { ALL_RULES } from "./audit/rules/all-rules.ts";
export {
  activeFindings,
  auditContent,
  auditSkill,
  ignoredRules,
  shownFindings,
} from "./audit-skills/audit-skill.ts";
export { auditPaths, auditServed, type SkillAudit } from "./audit-skills/audit-skills.ts";
export { withScanner } from "./audit-skills/external-scanner.ts";
export { checkSkill } from "./rules/check-skill.ts";
export { checkRules } from "./rules/rules.ts";
export { SKILL_TEMPLATE } from "./rules/template.ts";
export { createCatalogChecks } from "./validate/check-catalog.ts";
export { checkFolder, type ValidatedFile } from "./validate/check-folder.ts";
export { type FixedFile, fixFiles, planFix, writeFix } from "./validate/fix-files.ts";
export {
  compareFindings,
  type FindingSeverity,
  joinFindings,
  severityOf,
} from "./validate/join-findings.ts";
export { validatePaths } from "./validate/validate-paths.ts";
