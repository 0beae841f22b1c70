import type { Transport } from "@modelcontextprotocol/server";
import { serveStdio as connectStdio } from "@modelcontextprotocol/server/stdio";
import { config } from "zod";
import type { Sources } from "../../app/library/open-sources.ts";
import { type OpenedServer, openServer } from "../open-server.ts";
import type { ServerPlan } from "../plan-server.ts";
import { createDrainingTransport } from "./draining-transport.ts";
import type { EarlyStdin } from "./early-stdin.ts";
import { untilShutdown } from "./until-shutdown.ts";

/** Zod would compile a checker for each kind of message, and one client sends too few of them to earn that back. */
config({ jitless: true });

/** Serves MCP on stdin and stdout until the client goes away or a signal comes. */
export async function serveStdio(
  plan: ServerPlan,
  sources: Sources,
  { stdin, answered }: { readonly stdin: EarlyStdin; readonly answered: string | number | undefined },
  log: (line: string) => void,
): Promise<void> {
  const { factory, close } = openServer(plan, sources, log);
  try {
    await serveUntilShutdown(factory, createDrainingTransport(stdin, process.stdout, answered), log);
  } finally {
    await close();
  }
}

async function serveUntilShutdown(
  factory: OpenedServer["factory"],
  transport: Transport,
  log: (line: string) => void,
): Promise<void> {
  await untilShutdown(log, (onClose) => {
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
