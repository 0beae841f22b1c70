import type { ProfileSettings, Severity } from "#skills";

/** Every setting. Undefined: the default depends on how the server is reached. */
export interface ConfigValues {
  readonly matching: {
    /** From 0 to 1: a skill with a lower score is not a match. */
    readonly min_score: number;
    readonly max_results: number;
    /** From 0 to 1: two skills whose scores are closer than this are an ambiguous answer. */
    readonly ambiguity_threshold: number;
  };
  readonly refresh: {
    readonly enabled: boolean;
    readonly interval_minutes: number;
  };
  readonly scripts: {
    readonly enabled: boolean;
    readonly timeout_seconds: number;
    readonly max_output_bytes: number;
    /** With their dot. */
    readonly allowed_extensions: readonly string[];
    /** A command line by extension. */
    readonly runners: Readonly<Record<string, string>>;
    /** Undefined: preferred on stdio, required over HTTP. */
    readonly sandbox: SandboxMode | undefined;
    /** Absolute: where a script may work, besides the project. */
    readonly folders: readonly string[];
  };
  readonly assets: {
    readonly max_size_bytes: number;
    /** 0: no text is inlined. */
    readonly inline_text_max_bytes: number;
  };
  readonly analytics: {
    readonly enabled: boolean;
    /** Empty, or an http or https URL. */
    readonly endpoint: string;
    /** How much of a request an event contains; undefined: not set. */
    readonly context: AnalyticsContext | undefined;
    /** How an event names who caused it, on a server with tokens. */
    readonly caller: AnalyticsContext;
    /** `Name: value`, sent to the endpoint with every request. */
    readonly headers: readonly string[];
    /** What events call this server; empty: by the name of the user. */
    readonly server_id: string;
    readonly history: boolean;
  };
  readonly search: {
    /** Whether skills are found by their meaning too, or by their words alone. */
    readonly semantic: OnOff;
  };
  /** What the flags of every command that reads skills say, for those who repeat them. Paths are absolute. */
  readonly skills: {
    readonly include: readonly string[];
    readonly exclude: readonly string[];
    readonly skill_dirs: readonly string[];
    readonly default_dirs: boolean;
    readonly plugins: boolean;
    readonly plugins_file: string | undefined;
    readonly plugins_root: string | undefined;
    readonly strict: boolean;
    readonly lenient: boolean;
  };
  /** The same for the flags of a server. Undefined: depends on the command or the client. */
  readonly server: {
    readonly transport: Transport;
    readonly host: string;
    readonly port: number;
    readonly tools: readonly string[];
    readonly tool_names: ToolNames;
    readonly prompts: boolean;
    readonly description: DescriptionFormat;
    readonly description_budget: number | undefined;
    readonly instructions_budget: number | undefined;
    readonly include_native: boolean;
    readonly refresh_interval_ms: number;
    readonly watch: boolean;
    /** The address of a Redis that replicas share, with its password; never shown whole. */
    readonly redis: string | undefined;
    readonly profile: string | undefined;
  };
  readonly audit: {
    /** Findings of the audit that are fine: `<rule>`, or `<skill>:<rule>`. */
    readonly ignore: readonly string[];
    /** A skill with a finding of this severity, or a worse one, must be approved; undefined: no finding holds one back. */
    readonly block: Severity | undefined;
    /** Where a record of each call goes; undefined: depends on how the server is reached. */
    readonly log: AuditLogTarget | undefined;
  };
  /** Repositories to serve. */
  readonly repos: readonly string[];
  /** Who sees what, by name; absent without any. */
  readonly profiles?: Readonly<Record<string, ProfileSettings>>;
  /** What the project's file adds to the lists of the same names; absent when it adds nothing. */
  readonly project?: {
    readonly skills?: Readonly<Record<string, readonly string[]>>;
    readonly repos?: readonly string[];
  };
}

export const PROFILE_KEYS = [
  "include",
  "exclude",
  "repositories",
  "tools",
  "description_budget",
  "instructions_budget",
  "scripts",
] as const satisfies readonly (keyof ProfileSettings)[];

type Transport = (typeof TRANSPORTS)[number];
export const TRANSPORTS = ["stdio", "http", "sse"] as const;

type OnOff = (typeof ON_OFF)[number];
export const ON_OFF = ["on", "off"] as const;

type ToolNames = (typeof TOOL_NAMES)[number];
export const TOOL_NAMES = ["dotted", "underscore"] as const;

type DescriptionFormat = (typeof DESCRIPTION_FORMATS)[number];
export const DESCRIPTION_FORMATS = ["xml", "list"] as const;

export type SandboxMode = (typeof SANDBOX_MODES)[number];
export const SANDBOX_MODES = ["required", "preferred", "off"] as const;

export type AnalyticsContext = (typeof ANALYTICS_CONTEXTS)[number];
export const ANALYTICS_CONTEXTS = ["full", "hash", "off"] as const;

export type AuditLogTarget = (typeof AUDIT_LOG_TARGETS)[number];
export const AUDIT_LOG_TARGETS = ["file", "stdout", "off"] as const;

export const DEFAULT_VALUES: ConfigValues = {
  matching: { min_score: 0.2, max_results: 3, ambiguity_threshold: 0.1 },
  refresh: { enabled: true, interval_minutes: 15 },
  scripts: {
    enabled: true,
    timeout_seconds: 60,
    max_output_bytes: 1024 * 1024,
    allowed_extensions: [".sh", ".ts", ".js", ".py"],
    runners: { ".sh": "bash", ".ts": "npx tsx", ".js": "node", ".py": "python3" },
    sandbox: undefined,
    folders: [],
  },
  assets: { max_size_bytes: 1024 * 1024, inline_text_max_bytes: 10 * 1024 },
  analytics: {
    enabled: false,
    endpoint: "",
    context: undefined,
    caller: "hash",
    headers: [],
    server_id: "",
    history: true,
  },
  search: { semantic: "on" },
  skills: {
    include: [],
    exclude: [],
    skill_dirs: [],
    default_dirs: true,
    plugins: true,
    plugins_file: undefined,
    plugins_root: undefined,
    strict: false,
    lenient: false,
  },
  server: {
    transport: "stdio",
    host: "127.0.0.1",
    port: 4700,
    tools: [],
    tool_names: "dotted",
    prompts: true,
    description: "xml",
    description_budget: undefined,
    instructions_budget: undefined,
    include_native: false,
    refresh_interval_ms: 30_000,
    watch: true,
    redis: undefined,
    profile: undefined,
  },
  audit: { ignore: [], block: undefined, log: undefined },
  repos: [],
};

/** What a file may have at its top. */
export const SECTIONS: readonly string[] = [...Object.keys(DEFAULT_VALUES), "profiles"];

/** Node timers are limited to 31 bits of milliseconds; a longer interval would fire at once. */
export const LONGEST_INTERVAL_MINUTES = Math.floor((2 ** 31 - 1) / 60_000);

/** Where a value comes from. */
export type Origin =
  | { readonly kind: "default" }
  | { readonly kind: "file"; readonly file: string; readonly line?: number }
  | { readonly kind: "environment"; readonly variable: string };

/** The effective values, and where each came from, by key path (`scripts.runners[".sh"]`). */
export interface Config {
  readonly values: ConfigValues;
  readonly origins: ReadonlyMap<string, Origin>;
}

/** Something to fix before anything is served. `place` is a file, with its line where known, or a variable. */
export interface ConfigProblem {
  readonly place: string;
  readonly message: string;
}

/** What an endpoint must be, as the end of a sentence. */
export const ENDPOINT =
  "an http or https URL without a user name or password, such as https://example.com/events";

/** What the name of a server must be, as the end of a sentence. */
export const SERVER_ID = "a name of up to 100 printable ASCII characters without spaces, such as eu-1";

export const isServerId = (text: string): boolean => /^[\x21-\x7e]{1,100}$/.test(text);

/** Whether events can be sent there. `fetch` refuses a URL with a password. */
export function isEndpoint(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}
