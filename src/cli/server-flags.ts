import type { Flags } from "./flags.ts";
import { VIEW_FLAGS } from "./shared-flags.ts";

/** How a server is reached over HTTP, and by whom. */
export const HTTP_FLAGS = {
  host: { kind: "text", value: "<address>", help: "where to listen (default 127.0.0.1)" },
  port: { kind: "number", value: "<port>", min: 1, max: 65_535, help: "which port (default 4700)" },
  "public-url": {
    kind: "text",
    value: "<url>",
    help: "the server's address as clients know it, behind a proxy",
  },
  "allowed-hosts": { kind: "list", value: "<names>", help: "more names in the Host header that are ours" },
  "allowed-origins": {
    kind: "list",
    value: "<origins>",
    help: "pages that may use the server from a browser",
  },
  "token-file": {
    kind: "text",
    value: "<file>",
    help: "bearer tokens, one name:token or name:token:scopes a line",
  },
  "auth-issuer": {
    kind: "text",
    value: "<url>",
    help: "the OAuth authorization server whose tokens are taken",
  },
  "auth-audience": { kind: "text", value: "<audience>", help: "whom those tokens must be meant for" },
} as const satisfies Flags;

/** How any server keeps fresh, and what it offers. */
export const OFFER_FLAGS = {
  "refresh-interval": {
    kind: "number",
    value: "<ms>",
    min: 1,
    max: 2_147_483_647,
    help: "how often to look at the disk (default 30000)",
  },
  "no-refresh": { kind: "switch", help: "do not look at the disk periodically" },
  "no-watch": { kind: "switch", help: "do not watch folders for changes" },
  tools: { kind: "list", value: "<names>", help: "which tools to offer: sets, tool names or all" },
  "tool-names": {
    kind: "choice",
    choices: ["dotted", "underscore"],
    help: "skills.list or skills_list: some model APIs reject dots (default dotted)",
  },
  prompts: {
    kind: "choice",
    choices: ["on", "off"],
    help: "offer each skill as a prompt, which clients show as a slash command (default on)",
  },
  description: {
    kind: "choice",
    choices: ["xml", "list"],
    help: "how skills are listed in the tool description (default xml)",
  },
  "description-budget": {
    kind: "number",
    value: "<characters>",
    min: 1,
    max: 10_000_000,
    help: "how long that description may be",
  },
  ...VIEW_FLAGS,
} as const satisfies Flags;

/** The flags of every command that serves MCP on a transport of one's choice. */
export const SERVER_FLAGS = {
  transport: {
    kind: "choice",
    choices: ["stdio", "http", "sse"],
    help: "how clients connect (default stdio)",
  },
  ...HTTP_FLAGS,
  ...OFFER_FLAGS,
} as const satisfies Flags;
