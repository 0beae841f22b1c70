import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createApp } from "../app/create-app.ts";
import { openSources } from "../app/library/open-sources.ts";
import { type AppOptions, DEFAULT_REFRESH_INTERVAL_MS } from "../app/options.ts";
import { createServerFactory } from "../mcp/create-server.ts";
import { needsLibrary, selectTools, type ToolSelection, withLibraryTools } from "../mcp/tool-sets.ts";
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
  prompts: {
    kind: "choice",
    choices: ["on", "off"],
    help: "offer each skill as a prompt, which clients show as a slash command (default on)",
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
  const { library, userDir } = options;
  const hasLibrary = library !== undefined || (process.env["SKILLS_REPO"]?.trim() ?? "") !== "";
  const tools = chooseTools(given.tools, defaultTools, hasLibrary);
  const autoRefresh = !given["no-refresh"];
  const watch = !given["no-watch"];
  const sources = await openSources({ library, userDir, environment: process.env, log });
  const { app, close } = createApp({
    ...options,
    ...view,
    config: () => sources.settings().values,
    usage: sources.usage,
    ...(sources.git === undefined ? {} : { git: sources.git }),
    autoRefresh,
    watch,
    log,
    ...(given["refresh-interval"] === undefined ? {} : { refreshIntervalMs: given["refresh-interval"] }),
  });
  try {
    const { enabled, interval_minutes } = sources.settings().values.refresh;
    sources.git?.start(autoRefresh && enabled ? interval_minutes * 60_000 : undefined);
    const factory = createServerFactory(app, {
      tools,
      toolNames: given["tool-names"] ?? "dotted",
      descriptionFormat: given.description ?? "xml",
      descriptionBudget: given["description-budget"],
      announcesChanges: autoRefresh || watch,
      prompts: given.prompts !== "off",
      clientRoots: true,
      listsLastMs: given["refresh-interval"] ?? DEFAULT_REFRESH_INTERVAL_MS,
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
    await Promise.all([close(), sources.close()]);
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
