export type { AuditFinding } from "./audit/finding.ts";
export { ALL_RULES } from "./audit/rules/all-rules.ts";
export { activeFindings, auditContent, shownFindings } from "./audit-skills/audit-skill.ts";
export {
  type AuditTarget,
  auditSkills,
  libraryTarget,
  type SkillAudit,
  servedTargets,
  targetOf,
  targetsAt,
} from "./audit-skills/audit-skills.ts";
export { type ScannerFailure, withScanner } from "./audit-skills/external-scanner.ts";
export { ignoredRules } from "./audit-skills/ignored-rules.ts";
export { checkRules } from "./rules/rules.ts";
export { type CheckCatalog, createCatalogChecks } from "./validate/check-catalog.ts";
export { checkFolder, type ValidatedFile } from "./validate/check-folder.ts";
export { defaultPaths } from "./validate/default-paths.ts";
export { type FixedFile, fixFiles, planFix, writeFix } from "./validate/fix-files.ts";
export { validatePaths } from "./validate/validate-paths.ts";
export { watchPaths } from "./validate/watch-paths.ts";
