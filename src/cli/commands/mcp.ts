import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createApp } from "../../app/create-app.ts";
import { createServerFactory } from "../../mcp/create-server.ts";
import { selectTools } from "../../mcp/tool-sets.ts";
import type { Command, Terminal } from "../command.ts";
import { badUsage, type Flags, type FlagValues, parseFlags } from "../flags.ts";
import { printable } from "../render/columns.ts";
import { VIEW_FLAGS, viewOptions } from "../shared-flags.ts";
import { createDrainingTransport } from "../stdio/draining-transport.ts";
import { untilShutdown } from "../stdio/until-shutdown.ts";

export const flags = {
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

/** `skills-mcp mcp`: serves skills to an agent until the client goes away. */
export const command: Command = {
  async run(args, terminal) {
    const { flags: given, positionals } = parseFlags(args, flags);
    const [extra] = positionals;
    if (extra !== undefined) throw badUsage(extra, `mcp takes no arguments, but got '${extra}'.`);
    await serve(given, terminal);
    return 0;
  },
};

async function serve(given: FlagValues<typeof flags>, terminal: Terminal): Promise<void> {
  const log = (line: string): void => terminal.say(`skills-mcp: ${printable(line)}`);
  const tools = selectTools(given.tools);
  const autoRefresh = !given["no-refresh"];
  const watch = !given["no-watch"];
  const { app, close } = createApp({
    ...viewOptions(given),
    autoRefresh,
    watch,
    log,
    ...(given["refresh-interval"] === undefined ? {} : { refreshIntervalMs: given["refresh-interval"] }),
  });
  try {
    const factory = createServerFactory(app, {
      tools,
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
    close();
  }
}
