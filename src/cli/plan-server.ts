import { hasLibrary, openSources, type Sources } from "../app/library/open-sources.ts";
import { type AppOptions, DEFAULT_REFRESH_INTERVAL_MS } from "../app/options.ts";
import {
  needsLibrary,
  selectTools,
  type ToolSelection,
  withLibraryTools,
} from "../mcp/definitions/tool-sets.ts";
import type { ServerSettings } from "../mcp/server/settings.ts";
import type { Log } from "../system/log.ts";
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

/** Who can reach a server. */
interface Reach extends Pick<AppOptions, "sandboxDefault" | "remoteCallers"> {
  /** Callers must say who they are. */
  readonly guarded?: boolean;
}

/** Everything that the flags decide. It needs no file and nothing that takes long to load. */
export interface ServerPlan {
  readonly app: AppOptions;
  readonly settings: Omit<ServerSettings, "log">;
}

export function planServer(
  given: FlagValues<typeof OFFER_FLAGS>,
  { defaultTools, view = {} }: ServeOptions,
  { guarded = false, ...reach }: Reach,
): ServerPlan {
  const options = { ...viewOptions(given), ...view };
  const autoRefresh = !given["no-refresh"];
  const watch = !given["no-watch"];
  const interval = given["refresh-interval"];
  return {
    app: {
      ...options,
      ...reach,
      autoRefresh,
      watch,
      ...(interval === undefined ? {} : { refreshIntervalMs: interval }),
    },
    settings: {
      tools: chooseTools(given.tools, defaultTools, hasLibrary(options.library, process.env)),
      toolNames: given["tool-names"] ?? "dotted",
      descriptionFormat: given.description ?? "xml",
      descriptionBudget: given["description-budget"],
      announcesChanges: autoRefresh || watch,
      prompts: given.prompts !== "off",
      // One client's folders must not show in the lists of others.
      clientRoots: reach.remoteCallers !== true,
      // Where every client starts its own server, each waits for the disk anew.
      keepsLists: reach.remoteCallers !== true,
      cacheScope: guarded ? "private" : "public",
      listsLastMs: interval ?? DEFAULT_REFRESH_INTERVAL_MS,
    },
  };
}

/** Reads the settings and opens the repositories that a plan asks for. */
export function openPlanned({ app }: ServerPlan, log: Log): Promise<Sources> {
  return openSources({ library: app.library, userDir: app.userDir, environment: process.env, log });
}

function chooseTools(named: readonly string[], defaultTools: ToolSelection, library: boolean): ToolSelection {
  const tools = selectTools(named, library ? withLibraryTools(defaultTools) : defaultTools);
  if (library || !needsLibrary(tools)) return tools;
  throw badUsage(
    "--tools",
    "The library tools need a library: set SKILLS_DIR or SKILLS_REPO, or pass --library <dir>.",
  );
}
