import { type Flags, flag } from "./flags.ts";
import { VIEW_FLAGS } from "./shared-flags.ts";
import { COMMON_FLAGS } from "./terminal-log.ts";

const AUTH_FLAGS = {
  "token-file": flag.text("<file>", "bearer tokens, one name:token[:scopes[:profile]] per line"),
  "auth-issuer": flag.text("<url>", "accept tokens issued by this OAuth authorization server"),
  "auth-audience": flag.text("<audience>", "audience that those tokens must have"),
  "auth-profile-claim": flag.text(
    "<claim>",
    "claim of those tokens that names the caller's profile (default skills_profile)",
  ),
  "default-profile": flag.text("<name>", "profile of callers whose token names none"),
} satisfies Flags;

export const HTTP_FLAGS = {
  host: flag.text("<address>", "address to listen on (default 127.0.0.1)"),
  port: flag.number("<port>", [0, 65_535], "port to listen on; 0 picks a free one (default 4700)"),
  "public-url": flag.text("<url>", "URL that clients use when the server is behind a proxy"),
  "allowed-hosts": flag.list("<names>", "more host names to accept (comma-separated)"),
  "allowed-origins": flag.list(
    "<origins>",
    "web pages that may use the server from a browser (comma-separated)",
  ),
  redis: flag.text("<url>", "Redis that several replicas of this server share, such as redis://host:6379"),
  ...AUTH_FLAGS,
} satisfies Flags;

/** The flags that decide what a client is told of the skills. */
export const CLIENT_FLAGS = {
  description: flag.choice(["xml", "list"], "format of the skill list in the tool description (default xml)"),
  "description-budget": flag.number(
    "<characters>",
    [1, 10_000_000],
    "maximum length of that description (default: depends on the client)",
  ),
  "instructions-budget": flag.number(
    "<characters>",
    [0, 10_000_000],
    "maximum length of the server's instructions, which list skills too (default: depends on the client)",
  ),
  "include-native": flag.switch("list skills that the client reads from disk by itself, too"),
} satisfies Flags;

const TOOL_FLAGS = {
  tools: flag.list("<names>", "tool sets, tool names or all (comma-separated)"),
  "tool-names": flag.choice(
    ["dotted", "underscore"],
    "skills.list or skills_list; some model APIs reject dots (default dotted)",
  ),
  prompts: flag.choice(
    ["on", "off"],
    "offer each skill as a prompt, which clients show as a slash command (default on)",
  ),
  ...CLIENT_FLAGS,
} satisfies Flags;

const REFRESH_FLAGS = {
  "refresh-interval": flag.number(
    "<ms>",
    [1, 2_147_483_647],
    "time between scans, in milliseconds (default 30000)",
  ),
  "no-refresh": flag.switch("do not scan at intervals"),
  "no-watch": flag.switch("do not watch folders for changes"),
} satisfies Flags;

const TELEMETRY_FLAGS = {
  otlp: flag.text("<url>", "send traces, metrics and logs to this OpenTelemetry collector"),
  "otlp-content": flag.switch("include tool arguments and results, which may contain prompts"),
} satisfies Flags;

/** The flags of every server. */
export const SHARED_SERVER_FLAGS = {
  ...TOOL_FLAGS,
  ...REFRESH_FLAGS,
  ...TELEMETRY_FLAGS,
  ...VIEW_FLAGS,
  root: { ...VIEW_FLAGS.root, help: "same as --skill-dir, for one folder; turns on the catalog tools" },
} satisfies Flags;

/** The flags of every command that serves MCP on a transport of choice. */
export const SERVER_FLAGS = {
  transport: flag.choice(["stdio", "http", "sse"], "how clients connect (default stdio)"),
  ...HTTP_FLAGS,
  ...SHARED_SERVER_FLAGS,
} satisfies Flags;

/** How help groups flags. Those that are nowhere here come first. */
export const FLAG_GROUPS: readonly (readonly [title: string, flags: Flags])[] = [
  ["Tools", TOOL_FLAGS],
  ["Skills", VIEW_FLAGS],
  ["Refresh", REFRESH_FLAGS],
  ["Telemetry", TELEMETRY_FLAGS],
  ["HTTP", HTTP_FLAGS],
  ["HTTP authentication", AUTH_FLAGS],
  ["Output", COMMON_FLAGS],
];
