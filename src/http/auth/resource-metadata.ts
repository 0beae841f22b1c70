import { SCOPES } from "./principal.ts";

export const METADATA_PATH = "/.well-known/oauth-protected-resource";

/** RFC 9728: what a client needs to know to get a token for us. `base` is our address, without a slash at its end. */
export function resourceMetadata(base: string, issuer: string | undefined): object {
  return {
    resource: `${base}/mcp`,
    ...(issuer === undefined ? {} : { authorization_servers: [issuer] }),
    scopes_supported: SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "skills-mcp",
  };
}

export function metadataUrl(base: string): string {
  return `${base}${METADATA_PATH}/mcp`;
}
