import path from "node:path";
import { DEFAULT_VALUES } from "#config";
import type { AppOptions, ServerPlan } from "#server";
import {
  DEFAULT_TOOLS,
  forProfiles,
  needsLibrary,
  selectTools,
  type ToolSelection,
  withLibraryTools,
} from "#server";
import type { Location } from "#skills";
import { readDisabledByClient } from "#skills";
import { hasLibrary } from "#sources";
import { homeFolder, ownFolderIn } from "#util";
import { badUsage, type FlagValues } from "./flags.ts";
import type { SHARED_SERVER_FLAGS } from "./server-flags.ts";
import { type ViewFlags, viewOptions } from "./shared-flags.ts";

export interface ServeOptions {
  /** The tools unless `--tools` selects others. */
  readonly defaultTools: ToolSelection;
  /** Overrides what the flags select. */
  readonly view?: Pick<AppOptions, "folders" | "plugins" | "catalogRoot" | "library">;
}

/** Who can reach a server. */
interface Reach extends Pick<AppOptions, "sandboxDefault" | "remoteCallers"> {
  /** Callers must authenticate. */
  readonly guarded?: boolean;
}

const { server: DEFAULTS } = DEFAULT_VALUES;

/** What `mcp-server` serves unless `--root` names another folder. */
export const DEFAULT_ROOT = "./skills";

/** What each command that can serve on stdio serves. */
export const STDIO_COMMANDS = {
  /** All skills; with `--root` also a catalog of that folder. */
  mcp: ({ root }: FlagValues<typeof SHARED_SERVER_FLAGS>): ServeOptions =>
    root === undefined
      ? { defaultTools: DEFAULT_TOOLS.loader }
      : { defaultTools: DEFAULT_TOOLS.loaderAndCatalog, view: { catalogRoot: root } },
  /** One folder as a catalog, and nothing else of the machine. */
  "mcp-server": (given: FlagValues<typeof SHARED_SERVER_FLAGS>): ServeOptions => {
    const { root = DEFAULT_ROOT } = given;
    const folders = { first: [...given["skill-dir"], root], defaults: false };
    const view = { folders, plugins: { skip: true }, catalogRoot: root };
    return { defaultTools: DEFAULT_TOOLS.catalog, view };
  },
} as const;

/** Plans a server from its flags. Flags that contradict each other or name nothing are a `Refusal`. */
export function planServer(
  given: FlagValues<typeof SHARED_SERVER_FLAGS> & Pick<ViewFlags, "visibility">,
  { defaultTools, view = {} }: ServeOptions,
  { guarded = false, ...reach }: Reach,
): ServerPlan {
  const chosen = viewOptions(given);
  const folders = { ...chosen.folders, ...view.folders };
  const options = { ...chosen, ...view, folders };
  const autoRefresh = !given["no-refresh"];
  const watch = !given["no-watch"];
  const interval = given["refresh-interval"];
  const home = path.resolve(options.userDir ?? homeFolder());
  const ownFolder = ownFolderIn(home);
  const { profiles = [] } = options;
  refuseWrongCollector(given.otlp);
  return {
    home,
    ownFolder,
    app: {
      ...options,
      ...reach,
      autoRefresh,
      watch,
      ...(interval === undefined ? {} : { refreshIntervalMs: interval }),
    },
    settings: {
      ...forProfiles(
        {
          tools: chooseTools(given.tools, defaultTools, hasLibrary(options, process.env)),
          descriptionBudget: given["description-budget"],
          instructionsBudget: given["instructions-budget"],
        },
        profiles,
      ),
      toolNames: given["tool-names"] ?? DEFAULTS.tool_names,
      descriptionFormat: given.description ?? DEFAULTS.description,
      leaveOut: given["include-native"] ? [] : sharedFolders(guarded, reach, options.userDir),
      announcesChanges: autoRefresh || watch,
      prompts: given.prompts !== "off",
      // One client's folders must not show in the lists of others.
      clientRoots: reach.remoteCallers !== true,
      cacheScope: guarded ? "private" : "public",
      ...(given.visibility === undefined ? {} : { visibility: given.visibility }),
      disabledByClient: () => readDisabledByClient(ownFolder, given.visibility),
      listsLastMs: interval ?? DEFAULTS.refresh_interval_ms,
    },
  };
}

/**
 * Where a client that reads skills from the disk itself finds the same ones as this server. Over HTTP, its project is
 * somewhere else; and where callers authenticate, or with another home folder, so is its home folder.
 */
export function sharedFolders(
  guarded: boolean,
  { remoteCallers = false }: Reach,
  userDir: string | undefined,
): readonly Location[] {
  const project: readonly Location[] = remoteCallers ? [] : ["project"];
  return guarded || userDir !== undefined ? project : [...project, "user", "plugin"];
}

function chooseTools(named: readonly string[], defaultTools: ToolSelection, library: boolean): ToolSelection {
  const tools = selectTools(named, library ? withLibraryTools(defaultTools) : defaultTools);
  if (library || !needsLibrary(tools)) return tools;
  throw badUsage(
    "--tools",
    "The library tools need a library: set SKILLS_DIR or SKILLS_REPO, or pass --library <dir>.",
  );
}

export function refuseWrongCollector(url: string | undefined): void {
  if (url === undefined || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) return;
  throw badUsage("--otlp", `--otlp takes an http or https URL, such as http://127.0.0.1:4318, not '${url}'.`);
}
