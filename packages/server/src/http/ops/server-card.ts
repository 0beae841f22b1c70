import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { VERSION } from "#util";
import { SERVED_VERSIONS } from "../../mcp/server/create-server.ts";
import { type Exchange, notAllowed, sendText } from "../server/exchange.ts";
import type { HttpServerOptions } from "../server/options.ts";

/** SEP-2127: where clients look for the card of the endpoint at `/mcp`, and for the catalog that leads to it. */
export const CARD_PATH = "/mcp/server-card";
export const CATALOG_PATH = "/.well-known/ai-catalog.json";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
const CARD_TYPE = "application/mcp-server-card+json";
const NAME = "skills-mcp";

/** For pages of every origin, on a server that is meant to be found: what they read is the same for everyone. */
const PUBLIC_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET",
  "access-control-allow-headers": "Content-Type, If-None-Match",
  "access-control-expose-headers": "ETag",
  "cross-origin-resource-policy": "cross-origin",
} as const;

type CardOptions = Pick<HttpServerOptions, "publicUrl" | "sseOnly" | "auth">;

/** What anybody may know before connecting: that this server exists, and how to reach it. Nothing about what it serves. */
export function createServerCard({ publicUrl, sseOnly, auth }: CardOptions) {
  const card = (base: string): object => ({
    $schema: SCHEMA,
    name: `${reversed(new URL(base).hostname)}/${NAME}`,
    version: VERSION,
    title: "Skills",
    description: "Agent Skills, loaded by name or found by task.",
    remotes: [
      {
        ...(sseOnly
          ? { type: "sse", url: `${base}/sse` }
          : { type: "streamable-http", url: `${base}/mcp`, supportedProtocolVersions: SERVED_VERSIONS }),
        // With an issuer, clients get their token by themselves.
        ...(auth === undefined || auth.issuer !== undefined ? {} : { headers: [TOKEN_HEADER] }),
      },
    ],
  });
  const catalog = (base: string): object => ({
    specVersion: "1.0",
    entries: [
      {
        identifier: `urn:air:${hostName(new URL(base).hostname)}:mcp:${NAME}`,
        type: CARD_TYPE,
        url: `${base}${CARD_PATH}`,
      },
    ],
  });
  const send = ({ request, response }: Exchange, type: string, value: object): void => {
    const more = publicUrl === undefined ? {} : PUBLIC_HEADERS;
    if (request.method === "OPTIONS" && publicUrl !== undefined) {
      response.writeHead(204, more).end();
      return;
    }
    if (request.method !== "GET" && request.method !== "HEAD") throw notAllowed("GET, HEAD");
    const text = JSON.stringify(value);
    const etag = `"${createHash("sha256").update(text).digest("base64url")}"`;
    const headers = { ...more, "cache-control": "public, max-age=3600", etag };
    if (request.headers["if-none-match"] === etag) response.writeHead(304, headers).end();
    else sendText(response, 200, type, text, headers);
  };
  return {
    serveCard: (exchange: Exchange) => send(exchange, CARD_TYPE, card(exchange.base)),
    serveCatalog: (exchange: Exchange) =>
      send(exchange, "application/ai-catalog+json", catalog(exchange.base)),
    /** Whether pages of any origin may read what is at a path. */
    isForEveryOrigin: (path: string): boolean =>
      publicUrl !== undefined && (path === CARD_PATH || path === CATALOG_PATH),
  };
}

const TOKEN_HEADER = {
  name: "Authorization",
  description: "Bearer and a token from whoever runs this server",
  isRequired: true,
  isSecret: true,
} as const;

/** `com.example.skills` of a domain; an address of a network as it is, as far as a name may have its characters. */
function reversed(hostname: string): string {
  const name = hostName(hostname);
  return isIP(name) === 0 ? name.split(".").reverse().join(".") : name;
}

const hostName = (hostname: string): string => hostname.replaceAll(/[[\]]/g, "").replaceAll(":", "-");
