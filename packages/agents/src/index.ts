export {
  agentCalled,
  agentName,
  agentTitle,
  clientChoices,
  clientMeant,
  clientTitle,
  isAgent,
  nearestAgent,
  requireAgent,
} from "./agent-names.ts";
export { ALL_AGENTS } from "./all-agents.ts";
export type { ClientInfo, ClientTraits, Limit, ListPlace } from "./client-traits.ts";
export { changedLines } from "./connect/changed-lines.ts";
export type { ConnectTarget, ServerConnection } from "./connect/connect-form.ts";
export { connectTargetsNamed } from "./connect/connect-targets.ts";
export { ownProgram } from "./connect/own-program.ts";
export { findAgents, planStep } from "./connect/plan.ts";
export { type Applied, applyStep, type Found, type StepFor } from "./connect/plan-change.ts";
export { surroundingsOf } from "./connect/surroundings.ts";
export {
  FILE_PROVIDER,
  GIT_PROVIDER,
  LIBRARY_PROVIDER,
  type MovedFolders,
  movedFolders,
  NPM_PROVIDER,
  type PluginFolder,
  PROVIDERS,
  planPluginFolders,
  SKILL_FOLDERS,
  TRUSTED_NAMES,
  userFolder,
} from "./folders.ts";
export { HOOK_TARGETS } from "./hooks/hook-entry.ts";
export { findHooks, hookTargetsNamed, planHook } from "./hooks/plan-hook.ts";
export { hookAnswer, isPlainName, parsePromptEvent, type SkillSuggestion } from "./hooks/prompt-event.ts";
export { isKnown, readingTraits, traitsOf, versionsOf } from "./known-clients.ts";
