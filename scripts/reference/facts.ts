// The facts that the reference pages are written from, each from the file that declares it. write-reference.mjs bundles this
// module and runs it in Node.
import { knownFields } from "../../packages/check/src/rules/known-fields.ts";
import { allowedText } from "../../packages/config/src/declaration.ts";
import { DECLARED, keyPath, needsRestart } from "../../packages/config/src/settings.ts";
import type { ApiOptions, ApiServices } from "../../packages/server/src/http/api/create-api.ts";
import { resourceNames } from "../../packages/server/src/http/api/create-api.ts";
import { ADMIN_READS } from "../../packages/server/src/http/api/review/review-handlers.ts";
import { declarationOf, EVENTS, type UsageEventType } from "../../packages/usage/src/events.ts";
import { checkBrokenSkills } from "./broken-skills.ts";

export { ALL_RULES } from "../../packages/check/src/audit/rules/all-rules.ts";
export { TOOL_SETS } from "../../packages/server/src/mcp/definitions/definition.ts";
export {
  TOOL_DEFINITIONS,
  TOOL_FACTS,
} from "../../packages/server/src/mcp/definitions/tool-definitions.generated.ts";

export const FIELDS = knownFields();
export const BROKEN_SKILLS = checkBrokenSkills();

export const SETTINGS = DECLARED.map(({ parts, type, default: value, unset, flag, help, ...declared }) => {
  const key = keyPath(parts);
  return {
    key,
    section: parts[0],
    allowed: allowedText(type),
    value,
    unset,
    flag,
    // The help of a flag that turns a setting off says what `false` means.
    help: flag?.startsWith("--no-") ? `\`false\`: ${help}` : help,
    variable: declared.environment?.variable,
    restart: needsRestart(key),
    project: declared.project === true,
    library: declared.library,
  };
});

export const USAGE_EVENTS = (Object.keys(EVENTS) as readonly UsageEventType[]).map((type) => {
  const { fields, delivered } = declarationOf(type);
  return { type, delivered, fields: Object.keys(fields) };
});

/** Any property of it, and what a call of it returns, is itself: handlers are made of it and never run. */
const anything: unknown = new Proxy(() => undefined, { get: () => anything, apply: () => anything });
const { reads, writes } = resourceNames(anything as ApiServices, anything as ApiOptions);
const ofApi = (method: string, name: string, admin: boolean) => ({
  request: `${method} ${name}`,
  scope: admin ? "skills:admin" : "skills:read",
});

export const REQUESTS = [
  ...reads.map((name) => ofApi("GET", name, ADMIN_READS.has(name))),
  ...writes.map((name) => ofApi("POST", name, true)),
];
