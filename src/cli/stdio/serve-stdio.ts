import { serveStdio as connectStdio } from "@modelcontextprotocol/server/stdio";
import type { OpenedServer } from "../open-server.ts";
import { createDrainingTransport } from "./draining-transport.ts";
import { untilShutdown } from "./until-shutdown.ts";

/** Serves MCP on stdin and stdout until the client goes away or a signal comes. */
export async function serveStdio({ factory }: OpenedServer, log: (line: string) => void): Promise<void> {
  await untilShutdown(log, (onClose) => {
    const transport = createDrainingTransport(process.stdin, process.stdout);
    const handle = connectStdio(factory, {
      transport,
      onerror: (error) => log(`protocol: ${error.message}`),
    });
    // The SDK owns the transport's callbacks; this is the one place that learns of its end.
    const closed = transport.onclose;
    transport.onclose = () => {
      closed?.();
      onClose();
    };
    return () => handle.close();
  });
}
