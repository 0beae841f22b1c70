import { TOOL_SCOPES } from "../../mcp/definitions/tool-scopes.ts";
import { SCOPES, type Scope } from "./principal.ts";

/** The scopes that a message, or each one of a batch, needs. */
export function neededScopes(body: unknown): readonly Scope[] {
  return Array.isArray(body) ? body.map(scopeOf) : [scopeOf(body)];
}

/** The one of them that includes the others. */
export function widestScope(scopes: readonly Scope[]): Scope {
  return SCOPES.findLast((scope) => scopes.includes(scope)) ?? "skills:read";
}

function scopeOf(message: unknown): Scope {
  if (field(message, "method") !== "tools/call") return "skills:read";
  const name = field(field(message, "params"), "name");
  return (typeof name === "string" ? TOOL_SCOPES.get(name) : undefined) ?? "skills:read";
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
