import type { Flags } from "./flags.ts";
import { VIEW_FLAGS } from "./shared-flags.ts";
import { LOG_FLAGS } from "./terminal-log.ts";

/** Who may use a server over HTTP. */
const AUTH_FLAGS = {
  "token-file": {
    kind: "text",
    value: "<file>",
    help: "file of bearer tokens, one name:token or name:token:scopes per line",
  },
  "auth-issuer": { kind: "text", value: "<url>", help: "accept tokens of this OAuth authorization server" },
  "auth-audience": {
    kind: "text",
    value: "<audience>",
    help: "audience that OAuth tokens must be issued for",
  },
} as const satisfies Flags;

/** How a server is reached over HTTP. */
export const HTTP_FLAGS = {
  host: { kind: "text", value: "<address>", help: "address to listen on (default 127.0.0.1)" },
  port: { kind: "number", value: "<port>", min: 1, max: 65_535, help: "port to listen on (default 4700)" },
  "public-url": {
    kind: "text",
    value: "<url>",
    help: "URL that clients use when the server is behind a proxy",
  },
  "allowed-hosts": {
    kind: "list",
    value: "<names>",
    help: "more host names to accept in the Host header (repeatable, comma-separated)",
  },
  "allowed-origins": {
    kind: "list",
    value: "<origins>",
    help: "web origins that may use the server from a browser (repeatable, comma-separated)",
  },
  ...AUTH_FLAGS,
} as const satisfies Flags;

/** What a server offers. */
const TOOL_FLAGS = {
  tools: {
    kind: "list",
    value: "<names>",
    help: "tools to offer: tool sets, tool names or all (repeatable, comma-separated)",
  },
  "tool-names": {
    kind: "choice",
    choices: ["dotted", "underscore"],
    help: "write skills.list or skills_list; some model APIs reject dots (default dotted)",
  },
  prompts: {
    kind: "choice",
    choices: ["on", "off"],
    help: "offer each skill as a prompt, which clients show as a slash command (default on)",
  },
  description: {
    kind: "choice",
    choices: ["xml", "list"],
    help: "format of the skill list in the tool description (default xml)",
  },
  "description-budget": {
    kind: "number",
    value: "<characters>",
    min: 1,
    max: 10_000_000,
    help: "maximum length of that description (default: depends on the client)",
  },
} as const satisfies Flags;

/** How a server keeps its skills up to date. */
const REFRESH_FLAGS = {
  "refresh-interval": {
    kind: "number",
    value: "<ms>",
    min: 1,
    max: 2_147_483_647,
    help: "time between scans, in milliseconds (default 30000)",
  },
  "no-refresh": { kind: "switch", help: "do not scan at intervals" },
  "no-watch": { kind: "switch", help: "do not watch folders for changes" },
} as const satisfies Flags;

/** The flags of every server. */
export const OFFER_FLAGS = {
  ...TOOL_FLAGS,
  ...REFRESH_FLAGS,
  ...VIEW_FLAGS,
  root: { ...VIEW_FLAGS.root, help: "same as --skill-dir, for one folder; turns on the catalog tools" },
} as const satisfies Flags;

/** The flags of every command that serves MCP on a transport of choice. */
export const SERVER_FLAGS = {
  transport: {
    kind: "choice",
    choices: ["stdio", "http", "sse"],
    help: "how clients connect (default stdio)",
  },
  ...HTTP_FLAGS,
  ...OFFER_FLAGS,
} as const satisfies Flags;

/** How help groups flags. Those that are nowhere here come first. */
export const FLAG_GROUPS: readonly (readonly [title: string, flags: Flags])[] = [
  ["Tools", TOOL_FLAGS],
  ["Skills", VIEW_FLAGS],
  ["Refresh", REFRESH_FLAGS],
  ["HTTP", HTTP_FLAGS],
  ["HTTP authentication", AUTH_FLAGS],
  ["Logging", LOG_FLAGS],
];
