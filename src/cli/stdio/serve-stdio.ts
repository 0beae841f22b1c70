import type { Transport } from "@modelcontextprotocol/server";
import { serveStdio as connectStdio } from "@modelcontextprotocol/server/stdio";
import { config } from "zod";
import { createServerFactory } from "../../mcp/server/create-server.ts";
import type { Log } from "../../system/log.ts";
import type { OpenedApp } from "../open-app.ts";
import type { ServerPlan } from "../plan-server.ts";
import { createDrainingTransport } from "./draining-transport.ts";
import type { EarlyStdin } from "./early-stdin.ts";
import type { EarlyAnswers } from "./first-answers.ts";
import type { Shutdown } from "./shutdown.ts";

/** Zod would compile a checker for each kind of message, and one client sends too few of them to earn that back. */
config({ jitless: true });

/** What a client on stdio and its server have to do with each other before the SDK is loaded. */
export interface StdioStart {
  readonly stdin: EarlyStdin;
  readonly early: EarlyAnswers;
  readonly shutdown: Shutdown;
}

/** Serves MCP on stdin and stdout until the client goes away or a signal comes. */
export async function serveStdio(
  { app, lists }: OpenedApp,
  { settings }: ServerPlan,
  { stdin, early, shutdown }: StdioStart,
  log: Log,
): Promise<void> {
  const factory = createServerFactory(app, { ...settings, log }, lists);
  const transport: Transport = createDrainingTransport(stdin, process.stdout, early.said);
  let failure: string | undefined;
  const handle = connectStdio(factory, {
    transport,
    onerror: (error) => {
      failure = protocolFailure(error);
      log.warn(`protocol: ${failure}`);
    },
  });
  // The SDK owns the transport's callbacks; this is the one place that learns of its end.
  const closed = transport.onclose;
  transport.onclose = () => {
    closed?.();
    const hasGone = stdin.source.readableEnded || stdin.source.destroyed;
    shutdown.begin(hasGone || failure === undefined ? "the client has gone" : failure);
  };
  log.info(`shutting down: ${await shutdown.reason}`);
  await handle.close();
}

/** The SDK lists everything that a message would have to be to be one, which is a page. */
function protocolFailure({ name, message }: Error): string {
  return name === "ZodError" || name === "$ZodError"
    ? "a message was ignored, because it is neither a request nor an answer nor a notice."
    : message;
}
