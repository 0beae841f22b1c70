// The types of the package as a library, which docs/how-to/program.md describes. The build publishes this file as it is, so it imports nothing;
// packages/cli/src/library-api.ts implements it, and the compiler compares both.

/** Which skills are served and when they are refreshed, as on the command line. */
export interface SkillsOptions extends SkillsRefresh {
  /** The project folder. Default: the working directory. */
  readonly cwd?: string;
  /** Use instead of the home folder. */
  readonly userDir?: string;
  /** Folders with skills, in order of priority, before all others. */
  readonly skillDirs?: readonly string[];
  /** False: search only `skillDirs` and plugins. */
  readonly scanDefaultDirs?: boolean;
  /** True: leave installed plugins out. */
  readonly skipPlugins?: boolean;
  /** The folder of a library. Default: `SKILLS_DIR` of the environment. */
  readonly library?: string;
  /** Repositories, such as `owner/name`, besides those in `SKILLS_REPO` of the environment. */
  readonly repos?: readonly string[];
  /** Skip skills whose front matter had to be recovered. */
  readonly strict?: boolean;
  /** Serve skills without a name or description: with their folder's name, and their first sentence. */
  readonly lenient?: boolean;
  /** Filters: a provider, `@plugin` or name, with `*` and `?`. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Where to report progress, skipped files and failures. Default: nowhere. */
  readonly log?: SkillsLog;
}

/** When the skills are refreshed. Default: only when asked to. */
export interface SkillsRefresh {
  /** True: refresh when a folder changes. */
  readonly watch?: boolean;
  /** True: refresh every `refreshIntervalMs`, and fetch repositories as often as the settings say. */
  readonly autoRefresh?: boolean;
  /** Default: 30,000. */
  readonly refreshIntervalMs?: number;
}

export interface SkillsLog {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface SkillsApp {
  /** The skills as of the last refresh. The first call waits for the first scan, and for the first clone of each repository. */
  list(): Promise<readonly ListedSkill[]>;
  /** What is wrong with files that were skipped or recovered. */
  problems(): Promise<readonly SkillProblem[]>;
  /** Reads one skill as it is now. A name that is unknown or ambiguous is a `Refusal`. */
  load(name: string): Promise<SkillDocument>;
  /** The files beside the skill's own. A library skill has none here. */
  files(name: string): Promise<SkillFileList>;
  /** Reads a file of a skill by its path in the skill's folder. A path that is not listed is a `Refusal`. */
  readFile(name: string, path: string): Promise<Uint8Array>;
  /** Finds the skills for a task, best first. `limit` is 10 unless given. */
  search(task: string, limit?: number): Promise<SkillSearch>;
  /** Scans the disk, then lists. */
  refresh(): Promise<readonly ListedSkill[]>;
  /** Calls back after each refresh that changed what is listed. Returns a function that stops it. */
  onChange(listener: () => void): () => void;
  /** MCP over HTTP for a server that the caller opened. It is closed with the app. */
  mcpHandler(options?: McpAccess): Promise<McpHandler>;
}

/** A skill as `skills-mcp list --json` prints it. */
export interface ListedSkill extends ListedOrigin {
  /** The shortest name that loads the skill; of a library skill its path in the library. */
  readonly name: string;
  readonly description: string;
  /** What the author says about who uses it; absent where nothing is said. */
  readonly invocation?: SkillInvocation;
  /** Only of a library skill: what the MCP tool `get_skill` takes, and the keywords. */
  readonly skill_path?: string;
  readonly keywords?: readonly string[];
  /** Skills of the same identity that are not served because of this one. */
  readonly shadowed: readonly ListedOrigin[];
}

export interface ListedOrigin {
  /** The agent whose folder has the skill: `claude`, `codex`, …; `file` for a folder in `skillDirs`, `git`, `library`. */
  readonly provider: string;
  readonly location: "project" | "user" | "repo" | "plugin";
  /** `name@marketplace` of its plugin. */
  readonly plugin?: string;
  /** Where it comes from, for a skill that the user did not write although its folder looks so. */
  readonly label?: string;
  /** Its place in a git repository. */
  readonly repository?: { readonly url: string; readonly path: string; readonly commit: string };
  /** The skill's folder; of a library skill its file. */
  readonly path: string;
}

export interface SkillInvocation {
  /** Whether models are shown the skill. It loads by name in any case. */
  readonly model: boolean;
  /** Whether people are offered it as a slash command. */
  readonly user: boolean;
  /** The fields of the front matter that say so. */
  readonly because: readonly {
    readonly field: string;
    readonly line?: number;
    readonly file?: string;
  }[];
  /** Not meant for installers. */
  readonly internal?: true;
  readonly whenToUse?: string;
  readonly argumentHint?: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required?: boolean;
  }[];
}

/** A skill with its text. */
export interface SkillDocument extends ListedSkill {
  /** The file, byte for byte. */
  readonly text: string;
  /** What follows the front matter. */
  readonly body: string;
  /** The front matter as data. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface SkillFileList {
  /** `path` is below the skill's folder, with `/`; `size` is in bytes. Hidden files are not listed. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** False: there are more files than are listed. */
  readonly complete: boolean;
}

export interface SkillProblem {
  /** `error`: the file is not served. `warning`: it is served, but someone should fix it. */
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly file: string;
  readonly line?: number;
  readonly message: string;
}

export interface SkillSearch {
  readonly task: string;
  /** `no_match` when no skill fits. */
  readonly verdict: "match" | "ambiguous" | "no_match";
  /** How likely the first result is the right one, from 0 to 1. */
  readonly confidence: number;
  /** How many skills fit. */
  readonly total: number;
  /** The best of them; empty when none fits. */
  readonly results: readonly SkillHit[];
  /** When none fits: the nearest, three at most. */
  readonly nearest: readonly SkillHit[];
}

export interface SkillHit {
  /** What `load` takes. */
  readonly name: string;
  readonly description: string;
  readonly provider: string;
  readonly location: "project" | "user" | "repo" | "plugin";
  /** The skill's folder; of a library skill its file. */
  readonly skillPath: string;
  /** Only of a library skill: what the MCP tool `get_skill` takes. */
  readonly skill_path?: string;
  /** Higher is better; comparable within one search only. */
  readonly score: number;
  /** The words of the task that the skill has. */
  readonly matched: readonly string[];
  /** The passage that shows best why it was found. */
  readonly excerpt: string;
  /** The names of copies and forks of the skill. */
  readonly copies?: readonly string[];
}

/** Which requests an `McpHandler` answers, besides those to this machine by its loopback names. */
export interface McpAccess {
  /** Host names of the server, without ports. Others get 403, against DNS rebinding. */
  readonly allowedHosts?: readonly string[];
  /** Origins of web pages that may use it, such as `https://app.example.com`. */
  readonly allowedOrigins?: readonly string[];
}

export interface McpHandler {
  /**
   * Answers a request to `/mcp`, whose body nothing has read yet. Returns false for any other path, and leaves that request to the
   * caller. Who may call is decided before: the handler asks for no credentials.
   */
  handle(request: McpRequest, response: McpResponse): boolean;
}

/** An `IncomingMessage` of `node:http`. */
export interface McpRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
}

/** A `ServerResponse` of `node:http`. */
export interface McpResponse {
  statusCode: number;
  end(): unknown;
}

/** A request that cannot be met. Branch on `detail.code`, never on the message. */
export interface SkillsRefusal extends Error {
  readonly detail: {
    /** `unknown-skill`, `ambiguous-skill`, `disabled-skill`, `unreadable-skill`, `unknown-file`, `bad-filter`, … */
    readonly code: string;
    readonly name?: string;
    readonly file?: string;
    /** With `unknown-skill`: names that are similar. */
    readonly suggestions?: readonly string[];
    /** With `ambiguous-skill`: the full names to choose from. */
    readonly candidates?: readonly string[];
  };
}

export declare const Refusal: abstract new (...args: never[]) => SkillsRefusal;

/** The version of the package. */
export declare const VERSION: string;

/** Opens the skills. The caller closes them; closing twice is harmless. What cannot be opened is a `Refusal` of the first call. */
export declare function createApp(options?: SkillsOptions): {
  readonly app: SkillsApp;
  readonly close: () => Promise<void>;
};
