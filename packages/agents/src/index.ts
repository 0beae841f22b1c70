export { AGENTS, FILE_PROVIDER, GIT_PROVIDER, LIBRARY_PROVIDER, PROVIDERS } from "./agent-folders.ts";
export { type Applied, applyStep } from "./connect/apply.ts";
export { type Client, type Connection, whyOf } from "./connect/client.ts";
export { type ConnectRequest, type FoundClient, findClients, planStep, type Step } from "./connect/plan.ts";
export type { StepFor } from "./connect/plan-change.ts";
export { clientsNamed } from "./connect/select-clients.ts";
export { type Surroundings, surroundingsOf } from "./connect/surroundings.ts";
export { HOOK_HOSTS, type HookHost, hookCommand } from "./hooks/hosts.ts";
export {
  applyHook,
  type FoundHook,
  findHooks,
  type HookStep,
  hookHostsNamed,
  planHook,
} from "./hooks/plan-hook.ts";
export { hookAnswer, isPlainName, parsePromptEvent, type Suggestion } from "./hooks/prompt-event.ts";
export { agentName, agentTitle, clientChoices, isAgent, meantAgent } from "./known-agents.ts";
export { type ClientInfo, type ClientTraits, isKnown, traitsOf, versionsOf } from "./known-clients.ts";
export { type MovedFolders, movedFolders, userFolder } from "./moved-folders.ts";
export {
  AGENT_PLUGINS,
  activeVersion,
  NO_MARKETPLACE,
  type PluginFolder,
  type PluginKind,
  planPluginFolders,
} from "./plugin-kinds.ts";
export type { Limit, Room, Unit } from "./shown-text.ts";
