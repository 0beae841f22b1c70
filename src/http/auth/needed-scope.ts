import { TOOL_SCOPES } from "../../mcp/tool-scopes.ts";
import { SCOPES, type Scope } from "./principal.ts";

/** The scope that a message, or the most demanding one of a batch, needs. */
export function neededScope(body: unknown): Scope {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  const ranks = messages.map((message) => SCOPES.indexOf(scopeOf(message)));
  return SCOPES[Math.max(0, ...ranks)] ?? "skills:read";
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
