import { type App, createApp } from "../app/create-app.ts";
import { hasLibrary, openSources, type Sources } from "../app/library/open-sources.ts";
import { type AppOptions, DEFAULT_REFRESH_INTERVAL_MS } from "../app/options.ts";
import { createServerFactory } from "../mcp/create-server.ts";
import { needsLibrary, selectTools, type ToolSelection, withLibraryTools } from "../mcp/tool-sets.ts";
import { badUsage, type FlagValues } from "./flags.ts";
import type { OFFER_FLAGS } from "./server-flags.ts";
import { viewOptions } from "./shared-flags.ts";

export interface ServeOptions {
  /** What is offered unless `--tools` says otherwise. */
  readonly defaultTools: ToolSelection;
  /** Decides which skills are seen, where the flags do not. */
  readonly view?: Pick<
    AppOptions,
    "skillDirs" | "scanDefaultDirs" | "skipPlugins" | "catalogRoot" | "lastDirs" | "library"
  >;
}

/** Everything behind a transport. */
export interface OpenedServer {
  readonly app: App;
  readonly git: Sources["git"];
  readonly factory: ReturnType<typeof createServerFactory>;
  readonly close: () => Promise<void>;
}

/** Who can reach a server. */
interface Reach extends Pick<AppOptions, "sandboxDefault" | "remoteCallers"> {
  /** Callers must say who they are. */
  readonly guarded?: boolean;
}

/** Opens what is served: the settings, the repositories, the app, and the factory of MCP servers. */
export async function openServer(
  given: FlagValues<typeof OFFER_FLAGS>,
  { defaultTools, view = {} }: ServeOptions,
  { guarded = false, ...reach }: Reach,
  log: (line: string) => void,
): Promise<OpenedServer> {
  const options = { ...viewOptions(given), ...view };
  const { library, userDir } = options;
  const tools = chooseTools(given.tools, defaultTools, hasLibrary(library, process.env));
  const autoRefresh = !given["no-refresh"];
  const watch = !given["no-watch"];
  const sources = await openSources({ library, userDir, environment: process.env, log });
  const { app, close } = createApp({
    ...options,
    ...reach,
    config: () => sources.settings().values,
    usage: sources.usage,
    ...(sources.git === undefined ? {} : { git: sources.git }),
    autoRefresh,
    watch,
    log,
    ...(given["refresh-interval"] === undefined ? {} : { refreshIntervalMs: given["refresh-interval"] }),
  });
  const { enabled, interval_minutes } = sources.settings().values.refresh;
  sources.git?.start(autoRefresh && enabled ? interval_minutes * 60_000 : undefined);
  const factory = createServerFactory(app, {
    tools,
    toolNames: given["tool-names"] ?? "dotted",
    descriptionFormat: given.description ?? "xml",
    descriptionBudget: given["description-budget"],
    announcesChanges: autoRefresh || watch,
    prompts: given.prompts !== "off",
    // One client's folders must not show in the lists of others.
    clientRoots: reach.remoteCallers !== true,
    cacheScope: guarded ? "private" : "public",
    listsLastMs: given["refresh-interval"] ?? DEFAULT_REFRESH_INTERVAL_MS,
    log,
  });
  return {
    app,
    git: sources.git,
    factory,
    close: async () => {
      await Promise.all([close(), sources.close()]);
    },
  };
}

function chooseTools(named: readonly string[], defaultTools: ToolSelection, library: boolean): ToolSelection {
  const tools = selectTools(named, library ? withLibraryTools(defaultTools) : defaultTools);
  if (library || !needsLibrary(tools)) return tools;
  throw badUsage(
    "--tools",
    "The library tools need a library: set SKILLS_DIR or SKILLS_REPO, or pass --library <dir>.",
  );
}
