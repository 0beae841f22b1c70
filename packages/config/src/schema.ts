import path from "node:path";
import {
  array,
  boolean,
  enum as choice,
  int,
  number,
  record,
  strictObject,
  string,
  unknown,
  type ZodType,
} from "zod";
import { PROVIDERS } from "#agents";
import { isProfileName, parseFilterTokens, SEVERITIES } from "#skills";
import { HEADER, parseHeader } from "./analytics-headers.ts";
import { parseRedisAddress, REDIS_ADDRESS } from "./redis-address.ts";
import {
  ANALYTICS_CONTEXTS,
  AUDIT_LOG_TARGETS,
  type ConfigValues,
  DESCRIPTION_FORMATS,
  ENDPOINT,
  isEndpoint,
  isServerId,
  LONGEST_INTERVAL_MINUTES,
  ON_OFF,
  SANDBOX_MODES,
  SERVER_ID,
  TOOL_NAMES,
  TRANSPORTS,
} from "./settings.ts";

/** What one file sets. An empty section sets nothing. */
export type FileSettings = {
  readonly [Section in Exclude<keyof ConfigValues, "repos" | "project" | "profiles">]?:
    | { readonly [Key in keyof ConfigValues[Section]]?: ConfigValues[Section][Key] | undefined }
    | null
    | undefined;
} & {
  readonly repos?: ConfigValues["repos"] | null | undefined;
  readonly profiles?: ConfigValues["profiles"] | null | undefined;
};

/** An answer is one message, and a message of hundreds of megabytes would crash the process. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_RESULTS = 10_000;
const MOST_CHARACTERS = 10_000_000;
const LONGEST_TIMEOUT_SECONDS = 24 * 60 * 60;

// The messages say what is allowed, as the end of a sentence; check-file.ts begins it.

const share = () => number(SHARE).min(0, SHARE).max(1, SHARE).optional();
const SHARE = "a number from 0 to 1";

const flag = () => boolean("true or false").optional();

function whole(min: number, max: number) {
  const allowed = `a whole number from ${min} to ${max}`;
  return int(allowed).min(min, allowed).max(max, allowed).optional();
}

function oneOf<const T extends readonly string[]>(words: T) {
  const allowed = `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`;
  return choice(words, allowed).optional();
}

/** `path.extname` gives the last dot and what follows it: nothing else can ever match. */
const EXTENSION = /^\.[^.\s/\\\p{Cc}]+$/u;
const EXTENSION_ALLOWED = 'a file extension with its dot, such as ".sh"';
const extension = () => string(EXTENSION_ALLOWED).regex(EXTENSION, EXTENSION_ALLOWED);

const RUNNER_ALLOWED = 'a command, such as "bash" or "npx tsx"';
const runner = string(RUNNER_ALLOWED).regex(/^[^\p{Cc}]*[^\s\p{Cc}][^\p{Cc}]*$/u, RUNNER_ALLOWED);

/** `record` silently ignores this one key. */
const hidesNothing = (value: unknown) =>
  typeof value !== "object" || value === null || !Object.hasOwn(value, "__proto__");
const commands = record(extension(), runner, "a map of file extensions to commands").superRefine(
  (given, context) => {
    // Upper and lower case are the same extension, so one of two commands would be lost.
    const seen = new Set<string>();
    for (const key of Object.keys(given)) {
      const name = key.toLowerCase();
      const message = `left out, because ${JSON.stringify(name)} already has a command`;
      if (seen.has(name)) context.addIssue({ code: "custom", path: [key], message });
      seen.add(name);
    }
  },
);
const runners = unknown()
  .refine(hidesNothing, { path: ["__proto__"], error: "left out" })
  .pipe(commands);

const FOLDER_ALLOWED = "an absolute path, or one that begins with ~/";
const folder = string(FOLDER_ALLOWED).refine(isFolderPath, FOLDER_ALLOWED);

function isFolderPath(text: string): boolean {
  return !text.includes("\0") && (path.isAbsolute(text) || text === "~" || /^~[/\\]/.test(text));
}

const texts = (allowed: string, list: string) =>
  array(string(allowed).regex(/^[^\p{Cc}]*[^\s\p{Cc}][^\p{Cc}]*$/u, allowed), list).optional();

const FILTER_ALLOWED =
  "a filter: a provider, <provider>:<name>, @plugins, @<plugin>, @<plugin>:<name>, or a name";
const filters = () =>
  array(string(FILTER_ALLOWED).refine(isFilter, FILTER_ALLOWED), "a list of filters").optional();

function isFilter(token: string): boolean {
  try {
    parseFilterTokens([token], PROVIDERS);
    return true;
  } catch {
    return false;
  }
}

const place = (allowed: string) =>
  string(allowed)
    .regex(/^[^\0]+$/, allowed)
    .optional();

const PROFILE_ALLOWED = "the name of a profile";

const SECTION = "a map of settings";
const PROFILE_MAP =
  "a map with at least one of include, exclude, repositories, tools, the budgets and scripts";

/** What the flags of every command that reads skills say. */
const SKILLS = strictObject(
  {
    include: filters(),
    exclude: filters(),
    skill_dirs: texts("a folder", "a list of folders"),
    default_dirs: flag(),
    plugins: flag(),
    plugins_file: place("a file"),
    plugins_root: place("a folder"),
    strict: flag(),
    lenient: flag(),
  },
  SECTION,
).refine(({ strict, lenient }) => strict !== true || lenient !== true, {
  path: ["lenient"],
  error: "false, because strict is true",
});

/** What the flags of a server say. */
const SERVER = strictObject(
  {
    transport: oneOf(TRANSPORTS),
    host: string("an address").regex(/^\S+$/, "an address").optional(),
    port: whole(1, 65_535),
    tools: texts("a tool set or a tool", "a list of tool sets and tools"),
    tool_names: oneOf(TOOL_NAMES),
    prompts: flag(),
    description: oneOf(DESCRIPTION_FORMATS),
    description_budget: whole(1, MOST_CHARACTERS),
    instructions_budget: whole(0, MOST_CHARACTERS),
    include_native: flag(),
    refresh_interval_ms: whole(1, 2 ** 31 - 1),
    watch: flag(),
    redis: string(REDIS_ADDRESS)
      .refine((text) => typeof parseRedisAddress(text) !== "string", REDIS_ADDRESS)
      .optional(),
    profile: string(PROFILE_ALLOWED).regex(/^\S+$/, PROFILE_ALLOWED).optional(),
  },
  SECTION,
);

const NAME_ALLOWED =
  "left out or renamed: a profile's name has letters, digits, '.', '_' and '-', 64 at most";

/** Each of them must say something: what it leaves out is its purpose. */
const PROFILE = strictObject(
  {
    include: filters(),
    exclude: filters(),
    repositories: texts(
      "the address of a repository or the end of it, such as acme/skills",
      "a list of repositories",
    ),
    tools: texts("a tool set or a tool", "a list of tool sets and tools"),
    description_budget: whole(1, MOST_CHARACTERS),
    instructions_budget: whole(0, MOST_CHARACTERS),
    scripts: flag(),
  },
  PROFILE_MAP,
).refine((profile) => Object.keys(profile).length > 0, PROFILE_MAP);

const profiles = unknown()
  .refine(hidesNothing, { path: ["__proto__"], error: "left out" })
  .pipe(
    record(string(), PROFILE, "a map of names to profiles").superRefine((given, context) => {
      for (const name of Object.keys(given)) {
        if (!isProfileName(name)) context.addIssue({ code: "custom", path: [name], message: NAME_ALLOWED });
      }
    }),
  );

const SCRIPTS = strictObject(
  {
    enabled: flag(),
    timeout_seconds: whole(1, LONGEST_TIMEOUT_SECONDS),
    max_output_bytes: whole(1, MOST_BYTES),
    allowed_extensions: array(extension(), "a list of file extensions").optional(),
    runners: runners.optional(),
    sandbox: oneOf(SANDBOX_MODES),
    folders: array(folder, "a list of folders").optional(),
  },
  SECTION,
);

export const SCHEMA = strictObject(
  {
    matching: strictObject(
      { min_score: share(), max_results: whole(1, MOST_RESULTS), ambiguity_threshold: share() },
      SECTION,
    ).nullish(),
    refresh: strictObject(
      { enabled: flag(), interval_minutes: whole(1, LONGEST_INTERVAL_MINUTES) },
      SECTION,
    ).nullish(),
    scripts: SCRIPTS.nullish(),
    assets: strictObject(
      { max_size_bytes: whole(1, MOST_BYTES), inline_text_max_bytes: whole(0, MOST_BYTES) },
      SECTION,
    ).nullish(),
    analytics: strictObject(
      {
        enabled: flag(),
        endpoint: string(ENDPOINT)
          .refine((text) => text === "" || isEndpoint(text), ENDPOINT)
          .optional(),
        context: oneOf(ANALYTICS_CONTEXTS),
        caller: oneOf(ANALYTICS_CONTEXTS),
        headers: array(
          string(HEADER).refine((text) => parseHeader(text) !== undefined, HEADER),
          "a list of headers",
        ).optional(),
        server_id: string(SERVER_ID)
          .refine((text) => text === "" || isServerId(text), SERVER_ID)
          .optional(),
        history: flag(),
      },
      SECTION,
    ).nullish(),
    search: strictObject({ semantic: oneOf(ON_OFF) }, SECTION).nullish(),
    skills: SKILLS.nullish(),
    server: SERVER.nullish(),
    audit: strictObject(
      {
        ignore: texts("<rule> or <skill>:<rule>", "a list of rules"),
        block: oneOf(SEVERITIES),
        log: oneOf(AUDIT_LOG_TARGETS),
      },
      SECTION,
    ).nullish(),
    repos: texts("the address of a repository", "a list of repositories").nullish(),
    profiles: profiles.nullish(),
  },
  SECTION,
) satisfies ZodType<FileSettings>;
