export { askServer, type ServerReply } from "./ask-server.ts";
export { compose } from "./compose.ts";
export { openDashboardKey } from "./dashboard/dashboard-key.ts";
export { allFindings, countFindings } from "./health/all-findings.ts";
export type { Health } from "./health/health.ts";
export type { ListSettings } from "./http/api/model/model-handlers.ts";
export { type AuthSettings, openAuth } from "./http/auth/open-auth.ts";
export { createHttpObservers } from "./http/http-observers.ts";
export { createMcpHandler } from "./http/mcp-handler.ts";
export { openHttpServer } from "./http/open-http-server.ts";
export { isLoopback } from "./http/server/host-guard.ts";
export { DEFAULT_HTTP_LIMITS, type HttpServerOptions } from "./http/server/options.ts";
export { requirementLines } from "./mcp/answers/unmet-requirements.ts";
export { type ClientView, viewClient } from "./mcp/client-view/client-view.ts";
export { whySeen } from "./mcp/client-view/why-seen.ts";
export { createToolList } from "./mcp/definitions/tool-list.ts";
export {
  DEFAULT_TOOLS,
  forProfiles,
  needsLibrary,
  selectTools,
  type ToolSelection,
  withLibraryTools,
} from "./mcp/definitions/tool-sets.ts";
export { estimateTokens } from "./mcp/describe/estimate-tokens.ts";
export { sizeOf } from "./mcp/describe/page-text.ts";
export { readLikelyUse } from "./mcp/likely-use.ts";
export { instructionsNameSkills } from "./mcp/server/capabilities.ts";
export type { ServerSettings } from "./mcp/server/settings.ts";
export { publishProblem } from "./mcp/skills-extension/publication.ts";
export type { AppOptions } from "./options.ts";
export { refreshServer } from "./refresh-server.ts";
export type { ServerPlan } from "./server-plan.ts";
export type { Services } from "./services.ts";
export type { AnyInfo, SkillInfo } from "./skill-info.ts";
export { findStartInputs, readsMoreThanFlags } from "./start-inputs.ts";
export { cachedAnswersFor } from "./stdio/cached-answers.ts";
export { createFirstAnswers } from "./stdio/first-answers.ts";
export { serveStdio } from "./stdio/serve-stdio.ts";
export {
  type FirstAnswersTo,
  openStdioSession,
  type StdioProcess,
  type StdioSession,
} from "./stdio/stdio-session.ts";
export { createSwappedServices } from "./stdio/swapped-services.ts";
