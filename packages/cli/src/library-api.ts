import { movedFolders } from "#agents";
import { DEFAULT_TOOLS, type ServerPlan, withLibraryTools } from "#server";
import {
  DEFAULT_REFRESH_INTERVAL_MS,
  type Entry,
  type LibrarySkill,
  listBundledFiles,
  loadSkill,
  readDisabledByClient,
  readFileOfSkill,
  readLibraryText,
  resolvePlaces,
  type Snapshot,
} from "#skills";
import { hasLibrary } from "#sources";
import { NO_LOG, VERSION as OWN_VERSION } from "#util";
import { Refusal as OwnRefusal } from "#util/pure";
import { type OpenedApp, openApp } from "./open-app.ts";
import { librarySkillJson, skillJson } from "./render/skill-json.ts";
import { libraryFolder } from "./shared-flags.ts";

// The package as a library; docs/library-api.md describes it. Its types are all declared in this file, so that they are one file for those
// who install it and the rest stays free to change; the compiler checks that the app still fits them.

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
  files(name: string): Promise<SkillFiles>;
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
export interface ListedSkill extends SkillOrigin {
  /** The shortest name that loads the skill; of a library skill its path in the library. */
  readonly name: string;
  readonly description: string;
  /** What the author says about who uses it; absent where nothing is said. */
  readonly invocation?: SkillInvocation;
  /** Only of a library skill: what the MCP tool `get_skill` takes, and the keywords. */
  readonly skill_path?: string;
  readonly keywords?: readonly string[];
  /** Skills of the same identity that are not served because of this one. */
  readonly shadowed: readonly SkillOrigin[];
}

export interface SkillOrigin {
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

export interface SkillFiles {
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
  readonly results: readonly SkillMatch[];
  /** When none fits: the nearest, three at most. */
  readonly nearest: readonly SkillMatch[];
}

export interface SkillMatch {
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

export const Refusal: abstract new (...args: never[]) => SkillsRefusal = OwnRefusal;

/** The version of the package. */
export const VERSION: string = OWN_VERSION;

/** Opens the skills. The caller closes them; closing twice is harmless. What cannot be opened is a `Refusal` of the first call. */
export function createApp(options: SkillsOptions = {}): {
  readonly app: SkillsApp;
  readonly close: () => Promise<void>;
} {
  const plan = planOf(options);
  const listeners = new Set<() => void>();
  const handlers: { close(): Promise<void> }[] = [];
  const opened = openFetched(plan, options.log, () => {
    for (const listener of listeners) listener();
  });
  // Each call of the app fails with the reason.
  opened.catch(() => {});
  const current = async (): Promise<Snapshot> => (await opened).services.skills.snapshot();

  const app: SkillsApp = {
    list: async () => listed(await current()),
    problems: async () => (await current()).diagnostics,
    async load(name) {
      const snapshot = await current();
      const librarySkill = snapshot.library.skills.get(name);
      if (librarySkill !== undefined) return libraryDocument(librarySkill);
      const { entry, text, fields, bodyStart } = await loadSkill(snapshot, name);
      return { ...skillJson(entry), text, body: text.slice(bodyStart), fields };
    },
    async files(name) {
      const snapshot = await current();
      if (snapshot.library.skills.has(name)) return { files: [], complete: true };
      return listBundledFiles((await loadSkill(snapshot, name)).entry.skill);
    },
    readFile: async (name, path) => (await readFileOfSkill(await current(), name, path)).bytes,
    search: async (task, limit = 10) => (await opened).services.search.search(task, limit),
    refresh: async () => listed(await (await opened).services.skills.refresh()),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async mcpHandler({ allowedHosts = [], allowedOrigins = [] } = {}) {
      const { services, git } = await opened;
      const { createMcpHandler } = await import("#server");
      const handler = createMcpHandler({
        services,
        settings: { ...plan.settings, log: options.log ?? NO_LOG },
        git: () => git?.states() ?? [],
        allowedHosts,
        allowedOrigins,
      });
      handlers.push(handler);
      return handler;
    },
  };
  return {
    app,
    async close() {
      await Promise.all(handlers.splice(0).map((handler) => handler.close()));
      await opened.then(
        ({ close }) => close(),
        () => {},
      );
    },
  };
}

/** Opens the skills, with what the repositories have. */
async function openFetched(
  plan: ServerPlan,
  log: SkillsLog = NO_LOG,
  onChange: () => void,
): Promise<OpenedApp> {
  const opened = await openApp(plan, log);
  const wrongSettings = await Promise.race([opened.git?.fetchMissing(), opened.broken]);
  if (wrongSettings instanceof OwnRefusal) {
    await opened.close();
    throw wrongSettings;
  }
  opened.services.skills.onChange(onChange);
  return opened;
}

function planOf(options: SkillsOptions): ServerPlan {
  const { skillDirs, scanDefaultDirs, skipPlugins, strict, lenient, include, exclude, ...others } = options;
  const { repos: own = [], log: _log, ...chosen } = others;
  const folder = libraryFolder(options.library);
  const sources = {
    ...(folder === undefined ? {} : { library: folder }),
    ...(own.length === 0 ? {} : { repos: { own, project: [] } }),
  };
  const { home, ownFolder } = resolvePlaces(chosen);
  const tools = hasLibrary(sources, process.env)
    ? withLibraryTools(DEFAULT_TOOLS.loader)
    : DEFAULT_TOOLS.loader;
  const { watch = false, autoRefresh = false, refreshIntervalMs = DEFAULT_REFRESH_INTERVAL_MS } = options;
  return {
    home,
    ownFolder,
    app: {
      ...chosen,
      ...sources,
      folders: {
        first: skillDirs ?? [],
        defaults: scanDefaultDirs ?? true,
        ...(options.userDir === undefined ? { moved: movedFolders(process.env) } : {}),
      },
      plugins: { skip: skipPlugins ?? false },
      reading: { strict: strict ?? false, lenient: lenient ?? false },
      filter: { include: include ?? [], exclude: exclude ?? [] },
      // As for any server over HTTP: scripts run in a sandbox, without access to the project.
      sandboxDefault: "required",
      remoteCallers: true,
    },
    settings: {
      tools,
      toolNames: "dotted",
      descriptionFormat: "xml",
      descriptionBudget: undefined,
      announcesChanges: watch || autoRefresh,
      cacheScope: "private",
      disabledByClient: () => readDisabledByClient(ownFolder),
      ...(autoRefresh ? { listsLastMs: refreshIntervalMs } : {}),
    },
  };
}

function listed({ catalog, library }: Snapshot): readonly ListedSkill[] {
  return [
    ...catalog.entries.map((entry: Entry) => skillJson(entry)),
    ...[...library.skills.values()].map(librarySkillJson),
  ];
}

async function libraryDocument(skill: LibrarySkill): Promise<SkillDocument> {
  const read = await readLibraryText(skill);
  if (read.ok) return { ...librarySkillJson(skill), text: read.text, body: read.body, fields: read.fields };
  throw new OwnRefusal(
    `Library skill '${skill.path}' was found, but ${skill.file} cannot be served. ${read.failure.message}`,
    { code: "unreadable-skill", name: skill.path, file: skill.file },
  );
}
