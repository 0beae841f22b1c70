import path from "node:path";
import { DEFAULT_REFRESH_INTERVAL_MS, isListRule, type ProfileSettings, SEVERITIES } from "#skills";
import { HEADER, parseHeader, parseHeaderList, withoutValue } from "./analytics-headers.ts";
import {
  BOOLEAN,
  choice,
  type Declaration,
  type LibraryRule,
  list,
  SHARE,
  setting,
  text,
  type ValueType,
  whole,
} from "./declaration.ts";
import { parseRedisAddress, REDIS_ADDRESS, shownRedisAddress } from "./redis-address.ts";

/** An answer is one message, and a message of hundreds of megabytes would crash the process. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_CHARACTERS = 10_000_000;
/** Node timers are limited to 31 bits of milliseconds; a longer interval would fire at once. */
const MOST_MILLISECONDS = 2 ** 31 - 1;

/** A line with something in it. */
const LINE = /^[^\p{Cc}]*[^\s\p{Cc}][^\p{Cc}]*$/u;
const WORD = /^\S+$/;
const PATH = /^[^\0]+$/;

const FILTERS = list(
  text(
    "a filter: a provider, <provider>:<name>, @plugins, @<plugin>, @<plugin>:<name>, or a name",
    () => true,
    "filter",
  ),
  "a list of filters",
);
const RULES = setting(
  list(
    text("a filter, alone or with an agent, such as pdf, '@office:*' or 'git-* for codex'", isListRule),
    "a list of filters",
  ),
  { default: [], live: true },
);
const TOOLS = list(text("a tool set or a tool", LINE), "a list of tool sets and tools");
const CONTEXT = choice(["full", "hash", "off"]);

/** `path.extname` gives the last dot and what follows it: nothing else can ever match. */
export const EXTENSION = text(
  'a file extension with its dot, such as ".sh"',
  /^\.[^.\s/\\\p{Cc}]+$/u,
  "extension",
);
export const RUNNER = text('a command, such as "bash" or "npx tsx"', LINE);

const isAbsolute = (given: string): boolean =>
  !given.includes("\0") && (path.isAbsolute(given) || given === "~" || /^~[/\\]/.test(given));

/** Whether events can be sent there. `fetch` refuses a URL with a password. */
function isEndpoint(given: string): boolean {
  if (given === "") return true;
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) return false;
  const { username, password } = new URL(given);
  return username === "" && password === "";
}

const EXTENSIONS = [".sh", ".ts", ".js", ".py"];
const atMost = (most: number) => (value: unknown) => (Number(value) <= most ? value : undefined);
const knownExtensions = (value: unknown) =>
  Array.isArray(value) ? value.filter((extension: string) => EXTENSIONS.includes(extension)) : value;

/** What a wrong value could have withheld: skills, scripts, what is told of their use. */
const LIMITS = { withholds: ["skills"] } as const;
const SCRIPTS = { withholds: ["scripts"], live: true } as const;
const EVENTS = { withholds: ["usage"] } as const;

/** Flags whose settings a running server takes over. */
const VIEW = { of: "view", live: true } as const;
const TOOL = { of: "tools", live: true } as const;
const CLIENT = { of: "client", live: true } as const;
/** Settings of a library that count as they are, also in a running server. */
const OF_LIBRARY = { live: true, library: {} } as const;

/** What a library from git does not decide: what runs, and where events are sent. */
const NOT_FROM_GIT: LibraryRule = { notFromGit: true };

/**
 * Every setting, by section: its type, its default, where it may be set and by whom. Everything else about settings is made
 * of this. The order is that of `skills-mcp config`.
 */
export const SETTINGS = {
  matching: {
    /** A skill with a lower score is not a match. */
    min_score: setting(SHARE, { default: 0.2, ...OF_LIBRARY }),
    max_results: setting(whole(1, 10_000), { default: 3, ...OF_LIBRARY }),
    /** Two skills whose scores are closer than this are an ambiguous answer. */
    ambiguity_threshold: setting(SHARE, { default: 0.1, ...OF_LIBRARY }),
  },
  refresh: {
    enabled: setting(BOOLEAN, { default: true, library: {} }),
    interval_minutes: setting(whole(1, Math.floor(MOST_MILLISECONDS / 60_000)), {
      default: 15,
      library: {},
      environment: {
        variable: "REFRESH_INTERVAL_MINUTES",
        turnsOn: "enabled",
        advice: " To turn the refresh off, unset it and set refresh.enabled to false in config.yaml.",
      },
    }),
  },
  /** A library may tighten these and never relax them: who writes content does not decide how it is contained. */
  scripts: {
    enabled: setting(BOOLEAN, { ...SCRIPTS, default: true, library: { tightens: true } }),
    timeout_seconds: setting(whole(1, 24 * 60 * 60), {
      default: 60,
      ...SCRIPTS,
      library: { tightens: true, accept: atMost(60) },
    }),
    max_output_bytes: setting(whole(1, MOST_BYTES), {
      default: 1024 * 1024,
      ...SCRIPTS,
      library: { tightens: true, accept: atMost(1024 * 1024) },
    }),
    /** With their dot. */
    allowed_extensions: setting(list(EXTENSION, "a list of file extensions"), {
      default: EXTENSIONS,
      ...SCRIPTS,
      library: { tightens: true, accept: knownExtensions },
    }),
    /** A command line by extension. */
    runners: setting(
      { kind: "runners" },
      {
        default: { ".sh": "bash", ".ts": "npx tsx", ".js": "node", ".py": "python3" },
        ...SCRIPTS,
        library: {
          notFromGit: true,
          // The installation of a program becomes readable for scripts, so a library names no path.
          accept: (value) => (path.isAbsolute(String(value).trim()) ? undefined : value),
        },
      },
    ),
    /** Unset: preferred on stdio, required over HTTP. */
    sandbox: setting(choice(["required", "preferred", "off"]), {
      unset: "preferred (required over HTTP)",
      ...SCRIPTS,
      // Only the operator's own settings are weaker than this one, and they are asked first.
      library: {
        tightens: true,
        accept: (value) => (value === "required" ? value : undefined),
        evenTrusted: true,
      },
    }),
    /** Which scripts have the network. Unset: those that declare it on stdio, none over HTTP. */
    network: setting(choice(["declared", "off", "on"]), {
      unset: "declared (off over HTTP)",
      ...SCRIPTS,
      library: {
        tightens: true,
        accept: (value) => (value === "off" ? value : undefined),
        evenTrusted: true,
      },
    }),
    /** Where a script may work, besides the project. */
    folders: setting(
      list(text("an absolute path, or one that begins with ~/", isAbsolute, "path"), "a list of folders"),
      {
        default: [],
        ...SCRIPTS,
        // A library cannot know the folders of this machine.
        library: { tightens: true, accept: () => undefined, evenTrusted: true },
      },
    ),
  },
  assets: {
    max_size_bytes: setting(whole(1, MOST_BYTES), { default: 1024 * 1024, ...OF_LIBRARY }),
    /** 0: no text is inlined. */
    inline_text_max_bytes: setting(whole(0, MOST_BYTES), { default: 10 * 1024, ...OF_LIBRARY }),
  },
  analytics: {
    enabled: setting(BOOLEAN, { ...EVENTS, default: false, library: NOT_FROM_GIT }),
    /** Empty: events are not sent, and stay in the local file if `enabled`. */
    endpoint: setting(
      text(
        "an http or https URL without a user name or password, such as https://example.com/events",
        isEndpoint,
      ),
      {
        ...EVENTS,
        default: "",
        library: NOT_FROM_GIT,
        environment: { variable: "ANALYTICS_ENDPOINT", turnsOn: "enabled" },
      },
    ),
    /** How much of a request an event contains. */
    context: setting(CONTEXT, { ...EVENTS, library: NOT_FROM_GIT }),
    /** How an event names who caused it, on a server with tokens. */
    caller: setting(CONTEXT, { ...EVENTS, default: "hash" }),
    /** `Name: value`, sent to the endpoint with every request. */
    headers: setting(
      list(
        text(HEADER, (given) => parseHeader(given) !== undefined),
        "a list of headers",
      ),
      {
        ...EVENTS,
        default: [],
        secret: true,
        shown: withoutValue,
        environment: { variable: "ANALYTICS_HEADERS", read: readHeaders },
      },
    ),
    /** What events call this server; empty: by the name of the user. */
    server_id: setting(
      text(
        "a name of up to 100 printable ASCII characters without spaces, such as eu-1",
        /^[\x21-\x7e]{0,100}$/,
      ),
      { ...EVENTS, default: "", environment: { variable: "SKILLS_SERVER_ID" } },
    ),
    history: setting(BOOLEAN, { ...EVENTS, default: true, library: NOT_FROM_GIT }),
  },
  search: {
    /** Whether skills are found by their meaning too, or by their words alone. */
    semantic: setting(choice(["on", "off"]), { default: "on" }),
  },
  /** For those who repeat the flags of every command that reads skills. */
  skills: {
    include: setting(FILTERS, {
      ...VIEW,
      ...LIMITS,
      default: [],
      project: true,
      flag: "--include <tokens>",
      help: "only these: provider, @plugin or name; * and ? match (comma-separated)",
    }),
    exclude: setting(FILTERS, {
      ...VIEW,
      ...LIMITS,
      default: [],
      project: true,
      flag: "--exclude <tokens>",
      help: "all but these; applied after --include",
    }),
    skill_dirs: setting(list(text("a folder", LINE, "path"), "a list of folders"), {
      ...VIEW,
      default: [],
      project: true,
      flag: "--skill-dir <dir>",
      help: "folder with skills, ahead of all others (repeatable)",
    }),
    default_dirs: setting(BOOLEAN, {
      ...VIEW,
      ...LIMITS,
      default: true,
      flag: "--no-default-dirs",
      help: "do not search the agents' own folders, such as .claude/skills",
    }),
    plugins: setting(BOOLEAN, {
      ...VIEW,
      ...LIMITS,
      default: true,
      flag: "--no-plugins",
      help: "do not search installed plugins",
    }),
    plugins_file: setting(text("a file", PATH, "path"), {
      ...VIEW,
      ...LIMITS,
      flag: "--plugins-file <file>",
      help: "use instead of ~/.claude/plugins/installed_plugins.json",
    }),
    plugins_root: setting(text("a folder", PATH, "path"), {
      ...VIEW,
      ...LIMITS,
      flag: "--plugins-root <dir>",
      help: "base of relative plugin paths (default ~/.claude/plugins)",
    }),
    dependencies: setting(BOOLEAN, {
      ...VIEW,
      ...LIMITS,
      default: true,
      flag: "--no-dependencies",
      help: "do not search the npm packages that the project depends on",
    }),
    strict: setting(BOOLEAN, {
      ...VIEW,
      ...LIMITS,
      default: false,
      flag: "--strict",
      help: "skip skills whose front matter is not valid YAML or that hide characters",
    }),
    lenient: setting(BOOLEAN, {
      ...VIEW,
      default: false,
      contradicts: "strict",
      flag: "--lenient",
      help: "serve skills without a name or description: folder name, first sentence",
    }),
  },
  /** For those who repeat the flags of a server. */
  server: {
    transport: setting(choice(["stdio", "http", "sse"]), {
      default: "stdio",
      of: "transport",
      flag: "--transport",
      help: "how clients connect (default stdio)",
    }),
    host: setting(text("an address", WORD), {
      default: "127.0.0.1",
      of: "http",
      flag: "--host <address>",
      help: "address to listen on (default 127.0.0.1)",
    }),
    port: setting(whole(1, 65_535), {
      default: 4700,
      of: "http",
      flag: "--port <port>",
      flagType: whole(0, 65_535),
      help: "port to listen on; 0 picks a free one (default 4700)",
    }),
    tools: setting(TOOLS, {
      ...TOOL,
      ...LIMITS,
      default: [],
      unset: "(by command)",
      flag: "--tools <names>",
      help: "tool sets, tool names or all (comma-separated)",
    }),
    tool_names: setting(choice(["dotted", "underscore"]), {
      ...TOOL,
      default: "dotted",
      flag: "--tool-names",
      help: "skills.list or skills_list; some model APIs reject dots (default dotted)",
    }),
    prompts: setting(BOOLEAN, {
      ...TOOL,
      default: true,
      flag: "--prompts",
      flagType: choice(["on", "off"]),
      help: "offer each skill as a prompt, which clients show as a slash command (default on)",
    }),
    description: setting(choice(["xml", "list"]), {
      ...CLIENT,
      default: "xml",
      flag: "--description",
      help: "format of the skill list in the tool description (default xml)",
    }),
    description_budget: setting(whole(1, MOST_CHARACTERS), {
      ...CLIENT,
      unset: "(by client)",
      project: true,
      flag: "--description-budget <characters>",
      help: "maximum length of that description (default: depends on the client)",
    }),
    instructions_budget: setting(whole(0, MOST_CHARACTERS), {
      ...CLIENT,
      unset: "(by client)",
      project: true,
      flag: "--instructions-budget <characters>",
      help: "maximum length of the server's instructions, which list skills too (default: depends on the client)",
    }),
    include_native: setting(BOOLEAN, {
      ...CLIENT,
      default: false,
      flag: "--include-native",
      help: "list skills that the client reads from disk by itself, too",
    }),
    refresh_interval_ms: setting(whole(1, MOST_MILLISECONDS), {
      default: DEFAULT_REFRESH_INTERVAL_MS,
      of: "refresh",
      flag: "--refresh-interval <ms>",
      help: "time between scans, in milliseconds (default 30000)",
    }),
    watch: setting(BOOLEAN, {
      default: true,
      of: "refresh",
      flag: "--no-watch",
      help: "do not watch folders for changes",
    }),
    /** The address of a Redis that replicas share, with its password. */
    redis: setting(
      text(REDIS_ADDRESS, (given) => typeof parseRedisAddress(given) !== "string"),
      {
        shown: shownRedisAddress,
        environment: { variable: "SKILLS_REDIS", read: readRedis },
        of: "http",
        flag: "--redis <url>",
        help: "Redis that several replicas of this server share, such as redis://host:6379",
      },
    ),
    profile: setting(text("the name of a profile", WORD), {
      ...LIMITS,
      project: true,
      of: "view",
      flag: "--profile <name>",
      help: "show and serve only the skills of this profile",
    }),
  },
  /** How skills are listed for models. Each of them loads by its name all the same. */
  visibility: {
    /** With their whole descriptions, before all others. */
    always: RULES,
    /** By their names alone. */
    name_only: RULES,
    /** Nowhere. */
    manual: RULES,
  },
  audit: {
    /** Findings of the audit that are fine: `<rule>`, or `<skill>:<rule>`. */
    ignore: setting(list(text("<rule> or <skill>:<rule>", LINE), "a list of rules"), {
      default: [],
      live: true,
    }),
    /** A skill with a finding of this severity, or a worse one, must be approved. Unset: no finding holds one back. */
    block: setting(choice(SEVERITIES), { ...LIMITS, live: true }),
    /** Where a record of each call goes. Unset: depends on how the server is reached. */
    log: setting(choice(["file", "stdout", "off"]), {}),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Declaration>>>>;

/** Repositories to serve: a setting outside of the sections. */
export const REPOS = setting(list(text("the address of a repository", LINE), "a list of repositories"), {
  default: [],
  project: true,
});

/** Where `find` looks for skills besides those that are here: a setting outside of the sections. Only the operator names hosts. */
export const REGISTRIES = setting(list(text("the address of a registry", LINE), "a list of registries"), {
  default: [],
  live: true,
});

/** What each of the `profiles` may say. Only the operator's own file has them, and a running server takes them over. */
export const PROFILE_SETTINGS = {
  include: FILTERS,
  exclude: FILTERS,
  repositories: list(
    text("the address of a repository or the end of it, such as acme/skills", LINE),
    "a list of repositories",
  ),
  tools: TOOLS,
  description_budget: SETTINGS.server.description_budget.type,
  instructions_budget: SETTINGS.server.instructions_budget.type,
  scripts: BOOLEAN,
} as const satisfies Readonly<Record<keyof ProfileSettings, ValueType>>;

function readHeaders(given: string) {
  const value = parseHeaderList(given);
  // Not repeated: it contains a secret.
  return value === undefined ? { wrong: `Each line must be ${HEADER}.` } : { value };
}

function readRedis(given: string) {
  const address = parseRedisAddress(given);
  return typeof address === "string" ? { wrong: `The value ${address}.` } : { value: given };
}
