import type { McpRequestContext } from "@modelcontextprotocol/server";
import type { Principal } from "./principal.ts";

/** What a server may know of its caller. The token itself is none of its business. */
export function callerInfo({ subject, scopes }: Principal): Pick<McpRequestContext, "authInfo"> {
  return subject === undefined ? {} : { authInfo: { token: "", clientId: subject, scopes: [...scopes] } };
}
