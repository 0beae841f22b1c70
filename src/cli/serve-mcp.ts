import { homedir } from "node:os";
import path from "node:path";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { loadConfig, ownConfigFile } from "../app/config/load-config.ts";
import type { Config } from "../app/config/settings.ts";
import { createApp } from "../app/create-app.ts";
import type { AppOptions, SkillViewOptions, UsageSettings } from "../app/options.ts";
import { createServerFactory } from "../mcp/create-server.ts";
import { needsLibrary, selectTools, type ToolSelection, withLibraryTools } from "../mcp/tool-sets.ts";
import { expandHome } from "../registry/roots.ts";
import type { Terminal } from "./command.ts";
import { badUsage, type Flags, type FlagValues } from "./flags.ts";
import { printable } from "./render/columns.ts";
import { VIEW_FLAGS, viewOptions } from "./shared-flags.ts";
import { createDrainingTransport } from "./stdio/draining-transport.ts";
import { untilShutdown } from "./stdio/until-shutdown.ts";

/** The flags of every command that serves MCP. */
export const SERVER_FLAGS = {
  transport: { kind: "choice", choices: ["stdio"], help: "how clients connect (default stdio)" },
  "refresh-interval": {
    kind: "number",
    value: "<ms>",
    min: 1,
    max: 2_147_483_647,
    help: "how often to look at the disk (default 30000)",
  },
  "no-refresh": { kind: "switch", help: "do not look at the disk periodically" },
  "no-watch": { kind: "switch", help: "do not watch folders for changes" },
  tools: { kind: "list", value: "<names>", help: "which tools to offer: sets, tool names or all" },
  "tool-names": {
    kind: "choice",
    choices: ["dotted", "underscore"],
    help: "skills.list or skills_list: some model APIs reject dots (default dotted)",
  },
  description: {
    kind: "choice",
    choices: ["xml", "list"],
    help: "how skills are listed in the tool description (default xml)",
  },
  "description-budget": {
    kind: "number",
    value: "<characters>",
    min: 1,
    max: 10_000_000,
    help: "how long that description may be",
  },
  ...VIEW_FLAGS,
} as const satisfies Flags;

export interface ServeOptions {
  /** What is offered unless `--tools` says otherwise. */
  readonly defaultTools: ToolSelection;
  /** Decides which skills are seen, where the flags do not. */
  readonly view?: Pick<AppOptions, "skillDirs" | "scanDefaultDirs" | "skipPlugins" | "catalogRoot">;
}

/** Serves MCP on stdio until the client goes away or a signal comes. */
export async function serveMcp(
  given: FlagValues<typeof SERVER_FLAGS>,
  { defaultTools, view = {} }: ServeOptions,
  terminal: Terminal,
): Promise<void> {
  const log = (line: string): void => terminal.say(`skills-mcp: ${printable(line)}`);
  const options = viewOptions(given);
  const tools = chooseTools(given.tools, defaultTools, options.library !== undefined);
  const settings = await settingsOf(options, log);
  const autoRefresh = !given["no-refresh"];
  const watch = !given["no-watch"];
  const { app, close } = createApp({
    ...options,
    ...view,
    config: settings.config.values,
    usage: usageSettings(settings),
    autoRefresh,
    watch,
    log,
    ...(given["refresh-interval"] === undefined ? {} : { refreshIntervalMs: given["refresh-interval"] }),
  });
  try {
    const factory = createServerFactory(app, {
      tools,
      toolNames: given["tool-names"] ?? "dotted",
      descriptionFormat: given.description ?? "xml",
      descriptionBudget: given["description-budget"],
      announcesChanges: autoRefresh || watch,
      log,
    });
    await untilShutdown(log, (onClose) => {
      const transport = createDrainingTransport(process.stdin, process.stdout);
      const handle = serveStdio(factory, {
        transport,
        onerror: (error) => log(`protocol: ${error.message}`),
      });
      // `serveStdio` owns the transport's callbacks; this is the one place that learns of its end.
      const closed = transport.onclose;
      transport.onclose = () => {
        closed?.();
        onClose();
      };
      return () => handle.close();
    });
  } finally {
    await close();
  }
}

function chooseTools(
  named: readonly string[],
  defaultTools: ToolSelection,
  hasLibrary: boolean,
): ToolSelection {
  const tools = selectTools(named, hasLibrary ? withLibraryTools(defaultTools) : defaultTools);
  if (hasLibrary || !needsLibrary(tools)) return tools;
  throw badUsage(
    "--tools",
    "The library tools need a library: set SKILLS_DIR or SKILLS_REPO, or pass --library <dir>.",
  );
}

/** The settings of the library and of the operator. Wrong ones are refused before anything is served. */
async function settingsOf(
  { library, userDir }: SkillViewOptions,
  log: (line: string) => void,
): Promise<Settings> {
  const home = path.resolve(userDir ?? homedir());
  const folder = library === undefined ? undefined : path.resolve(expandHome(library, home));
  const ownFile = ownConfigFile(home);
  const config = await loadConfig({
    libraryFiles: folder === undefined ? [] : [{ file: path.join(folder, "config.yaml"), fromGit: false }],
    ownFile,
    environment: process.env,
    log,
  });
  return { config, ownFile };
}

interface Settings {
  readonly config: Config;
  /** The operator's own file. */
  readonly ownFile: string;
}

/** What people typed leaves the machine in full only towards an endpoint that the operator named. */
function usageSettings({ config: { values, origins }, ownFile }: Settings): UsageSettings {
  const { enabled, endpoint, context, history } = values.analytics;
  const origin = origins.get("analytics.endpoint");
  const byOperator = origin?.kind === "environment" || (origin?.kind === "file" && origin.file === ownFile);
  return {
    endpoint: enabled && endpoint !== "" ? endpoint : undefined,
    context: context ?? (byOperator ? "full" : "hash"),
    history,
  };
}
