export { addSkills } from "./add-skills.ts";
export { diffContent } from "./content/diff-content.ts";
export { openOriginals } from "./content/originals.ts";
export { writeContent } from "./content/write-content.ts";
export { type InspectedSkill, inspectSource } from "./inspect-source.ts";
export type { InstallResult } from "./install-session.ts";
export type { SkillOrigin } from "./installed-origin.ts";
export { lockedSources, skillOrigin, skillOrigins } from "./installed-origin.ts";
export { type KnownBefore, PARTS } from "./new/new-skill.ts";
export { removeNewSkill, writeNewSkill } from "./new/write-new-skill.ts";
export { outdatedSkills } from "./outdated-skills.ts";
export {
  checkForUpdates,
  installFrom,
  listInstalled,
  undoInstall,
  updateInstalled,
} from "./page-installs.ts";
export { lockedIn } from "./plan/installed-skill.ts";
export { shortVersion } from "./plan/origin.ts";
export { compareFiles, type PlannedSkill } from "./plan/plan.ts";
export { publishSite } from "./publish/publish-site.ts";
export { createSiteAnswers, isSitePath, type SiteAnswer } from "./publish/site-answers.ts";
export { removeSkills } from "./remove-skills.ts";
export { syncSkills } from "./sync-skills.ts";
export { type InstallPlaces, targetOf, targetWith } from "./target.ts";
export { undoLast } from "./undo-change.ts";
export { updateSkills } from "./update-skills.ts";
export { type VerifiedSkill, verifySkills } from "./verify-skills.ts";
