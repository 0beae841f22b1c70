export { addSkills } from "./add-skills.ts";
export { diffContent } from "./content/diff-content.ts";
export { openOriginals } from "./content/originals.ts";
export { writeContent } from "./content/write-content.ts";
export type { InstallResult } from "./install-session.ts";
export type { SkillOrigin } from "./installed-origin.ts";
export { lockedSources, skillOrigin } from "./installed-origin.ts";
export { readLock } from "./lock/lock-file.ts";
export { type LockedSkill, lockedSkills } from "./lock/lock-text.ts";
export { type KnownBefore, PARTS, type SkillPart } from "./new/new-skill.ts";
export { removeNewSkill, type WrittenSkill, writeNewSkill } from "./new/write-new-skill.ts";
export {
  checkForUpdates,
  installFrom,
  listInstalled,
  undoInstall,
  updateInstalled,
} from "./page-installs.ts";
export { placeOf } from "./plan/installed-skill.ts";
export { shortVersion } from "./plan/origin.ts";
export { compareFiles, type FileChanges, type PlannedAction, type PlannedSkill } from "./plan/plan.ts";
export { artifactPath, FOLDER_0_1, FOLDER_0_2 } from "./publish/create-publisher.ts";
export { type PublishedSite, publishSite } from "./publish/publish-site.ts";
export { createSiteAnswers, isSitePath, type SiteAnswer } from "./publish/site-answers.ts";
export { removeSkills } from "./remove-skills.ts";
export { skillOrigins } from "./skill-origins.ts";
export { syncSkills } from "./sync-skills.ts";
export { type InstallPlaces, scopeFor, type Target, targetOf } from "./target.ts";
export { undoLast } from "./undo-change.ts";
export { updateSkills } from "./update-skills.ts";
export { type OutdatedSkill, outdatedSkills, type VerifiedSkill, verifySkills } from "./verify-skills.ts";
