import { settingFlags } from "#config";
import { type Flags, flag } from "./flags.ts";
import { VIEW_FLAGS } from "./shared-flags.ts";

const AUTH_FLAGS = {
  "token-file": flag.text("<file>", "bearer tokens, one name:token[:scopes[:profile]] per line"),
  "auth-issuer": flag.text("<url>", "accept tokens issued by this OAuth authorization server"),
  "auth-audience": flag.text("<audience>", "audience that those tokens must have"),
  "auth-profile-claim": flag.text(
    "<claim>",
    "claim of those tokens that names the caller's profile (default skills_profile)",
  ),
  "default-profile": flag.text("<name>", "profile of callers whose token names none"),
  "public-index": flag.text(
    "<profile>",
    "skills of this profile can be listed and installed without a token",
  ),
} satisfies Flags;

const { redis, ...LISTEN_FLAGS } = settingFlags("http");

export const HTTP_FLAGS = {
  ...LISTEN_FLAGS,
  "public-url": flag.text("<url>", "URL that clients use when the server is behind a proxy"),
  "allowed-hosts": flag.list("<names>", "more host names to accept (comma-separated)"),
  "allowed-origins": flag.list(
    "<origins>",
    "web pages that may use the server from a browser (comma-separated)",
  ),
  redis,
  ...AUTH_FLAGS,
} satisfies Flags;

/** The flags that decide what a client is told of the skills. */
export const CLIENT_FLAGS = settingFlags("client") satisfies Flags;

const TOOL_FLAGS = { ...settingFlags("tools"), ...CLIENT_FLAGS } satisfies Flags;

const { "refresh-interval": interval, ...OTHER_REFRESH_FLAGS } = settingFlags("refresh");

const REFRESH_FLAGS = {
  "refresh-interval": interval,
  "no-refresh": flag.switch("do not scan at intervals"),
  ...OTHER_REFRESH_FLAGS,
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
  ...settingFlags("transport"),
  ...HTTP_FLAGS,
  ...SHARED_SERVER_FLAGS,
} satisfies Flags;

/** How help groups the flags of servers. Those that are nowhere here come first. */
export const FLAG_GROUPS: readonly (readonly [title: string, flags: Flags])[] = [
  ["Tools", TOOL_FLAGS],
  ["Refresh", REFRESH_FLAGS],
  ["Telemetry", TELEMETRY_FLAGS],
  ["HTTP", HTTP_FLAGS],
  ["HTTP authentication", AUTH_FLAGS],
];
