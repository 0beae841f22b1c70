import type { Transport } from "@modelcontextprotocol/server";
import { serveStdio as connectStdio } from "@modelcontextprotocol/server/stdio";
import { config } from "zod";
import type { ListTools } from "../mcp/definitions/tool-list.ts";
import { createServerFactory } from "../mcp/server/create-server.ts";
import type { ServerSettings } from "../mcp/server/settings.ts";
import { createDrainingTransport } from "./draining-transport.ts";
import type { StdioSession } from "./stdio-session.ts";

/** Compiling a validator for each kind of message takes longer than a single client's messages save. */
config({ jitless: true });

/** Serves MCP on stdin and stdout until the client disconnects or a signal arrives. */
export async function serveStdio(
  services: Parameters<typeof createServerFactory>[0],
  settings: ServerSettings,
  listTools: ListTools,
  { stdin, stdout, sent, end, onEnd }: StdioSession,
): Promise<void> {
  const { log } = settings;
  stdin.release();
  const transport: Transport = createDrainingTransport(stdin, stdout, sent);
  let failure: string | undefined;
  const handle = connectStdio(createServerFactory(services, settings, listTools), {
    transport,
    onerror: (error) => {
      failure = error.message;
      log.warn(`protocol: ${failure}`);
    },
  });
  // The SDK owns the transport's callbacks; this is the only place that learns of its end.
  const onClose = transport.onclose;
  transport.onclose = () => {
    onClose?.();
    const disconnected = stdin.source.readableEnded || stdin.source.destroyed;
    onEnd(disconnected || failure === undefined ? "client disconnected" : failure);
  };
  log.info(`shutting down: ${await end}`);
  await handle.close();
}
