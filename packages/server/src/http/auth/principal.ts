import { TOOL_SCOPES } from "../../mcp/definitions/tool-sets.ts";
import type { SessionContext } from "../../mcp/server/create-server.ts";

/** What a caller may do. Each scope includes those before it. */
export const SCOPES = ["skills:read", "skills:run", "skills:admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** Who sent a request, and what they may do. */
export interface Principal {
  /** Undefined on a server without authentication. */
  readonly subject: string | undefined;
  readonly scopes: ReadonlySet<Scope>;
  /** Milliseconds since 1970; streams end then. Undefined: never. */
  readonly expiresAt: number | undefined;
  /** Of what is served, they see only what this profile leaves. Absent: all of it. */
  readonly profile?: string;
}

/** Any caller of a server that only this machine can reach. */
export const UNRESTRICTED: Principal = { subject: undefined, scopes: new Set(SCOPES), expiresAt: undefined };

/** A caller without credentials, on a path that needs none. */
export const ANONYMOUS: Principal = { subject: undefined, scopes: new Set(), expiresAt: undefined };

/** The caller as an MCP server sees it, without the token. */
export function callerInfo({
  subject,
  scopes,
  profile,
}: Principal): Pick<SessionContext, "authInfo" | "profile"> {
  return {
    ...(subject === undefined ? {} : { authInfo: { token: "", clientId: subject, scopes: [...scopes] } }),
    ...(profile === undefined ? {} : { profile }),
  };
}

/** The highest listed scope and those that it includes. Unknown words are ignored. */
export function grantedScopes(words: readonly string[]): ReadonlySet<Scope> {
  const highest = Math.max(...words.map((word) => SCOPES.findIndex((scope) => scope === word)), -1);
  return new Set(SCOPES.slice(0, highest + 1));
}

/** The scope that a message, or each one of a batch, needs. */
export function requiredScopes(body: unknown): readonly Scope[] {
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

/** A field that is a text; empty where it is missing or something else. */
export function textField(value: unknown, name: string): string {
  const text = field(value, name);
  return typeof text === "string" ? text : "";
}

/** A property of a value that may be anything. */
export function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
