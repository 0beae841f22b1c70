export { adviceOn } from "./matching/library-rules.ts";
export { type FoundDeclaration, findFile, ownFiles } from "./matching/skill-files.ts";
export { groupEnding } from "./process/process-tree.ts";
export { runProcess } from "./process/run-process.ts";
export { findProgram } from "./scripts/programs.ts";
export type { SandboxStatus } from "./scripts/script-run.ts";
export { type LibraryTools, openLibrary } from "./tools/create-library.ts";
export { declaredFilePath } from "./tools/declared-file-content.ts";
export {
  findMeantSkill,
  inspectFiles,
  type LibrarySkillInfo,
  librarySkillInfo,
} from "./tools/library-info.ts";
export { openScripts } from "./tools/open-scripts.ts";
