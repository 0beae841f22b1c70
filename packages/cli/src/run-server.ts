import { ownProgram } from "#agents";
import type { ServerSettings } from "#server";
import { createFirstAnswers, createToolList, openStdioSession, type StdioSession } from "#server";
import type { Telemetry } from "#telemetry";
import type { Log } from "#util";
import type { Refusal } from "#util/pure";
import type { CommandInvocation } from "./command.ts";
import { openServerTelemetry, TELEMETRY_DEADLINE_MS } from "./observe/open-telemetry.ts";
import { openApp, WRONG_SETTINGS } from "./open-app.ts";
import { planServer, type ServeOptions } from "./plan-server.ts";
import { HTTP_FLAGS, type SERVER_FLAGS } from "./server-flags.ts";

/** For people who start a server on a terminal: it waits for a program, and nothing that they type helps. */
const WAITING = "Waiting for an MCP client on standard input; Ctrl+C to stop.";

/** Time for pending answers to be sent before the server ends. */
const LAST_ANSWERS_MS = 100;

/** Serves MCP on the chosen transport and returns the exit code. */
export async function runServer(
  invocation: CommandInvocation<typeof SERVER_FLAGS>,
  options: ServeOptions,
): Promise<number> {
  const { given, named, terminal, log: ownLog } = invocation;
  const { transport = "stdio" } = given;
  if (transport !== "stdio") {
    // Loaded on demand: stdio needs no HTTP server.
    const { serveHttp } = await import("./http/serve-http.ts");
    return serveHttp(invocation, options, { sseOnly: transport === "sse", showPage: false });
  }
  warnOfHttpFlags(named, ownLog);
  const { plan, session } = terminal.early ?? {
    plan: planServer(given, options, {}),
    session: openStdioSession(terminal.stdio),
  };
  if ("isTTY" in terminal.stdio.stdin && terminal.stdio.stdin.isTTY === true)
    terminal.logLine(`${WAITING} To connect an agent: ${ownProgram().shown} connect`);
  const telemetry = await openServerTelemetry(given, ownLog);
  const log = telemetry.logTo(ownLog);
  const settings = { ...plan.settings, ...observationOf(telemetry, session), log };
  const { services, broken, close } = await openApp(plan, log, { observe: telemetry.work });
  let refusal: Refusal | undefined;
  void broken.then((error) => {
    refusal = error;
    setTimeout(() => session.onEnd(WRONG_SETTINGS), LAST_ANSWERS_MS);
  });
  try {
    const listTools = createToolList(settings, services.usage.likelyUse);
    const firstAnswers = createFirstAnswers(
      { ...services.skills, likelyUse: services.usage.likelyUse },
      plan,
      listTools,
    );
    await Promise.race([session.answerFirstRequests(settings, firstAnswers), session.end]);
    // Loaded last: the SDK takes longer to load than everything else.
    const { serveStdio } = await import("#server");
    await serveStdio(services, settings, listTools, session);
  } finally {
    await Promise.all([close(), telemetry.close(TELEMETRY_DEADLINE_MS)]);
  }
  if (refusal !== undefined) throw refusal;
  return 0;
}

/** On stdio, requests are observed only by telemetry. */
function observationOf(
  { requests: observe }: Telemetry,
  { answeredEarly }: StdioSession,
): Pick<ServerSettings, "observation"> {
  return observe === undefined ? {} : { observation: { observe, transport: "pipe", answeredEarly } };
}

/** Warns of HTTP flags, which have no effect on stdio: a user who passes --port expects an open port. */
function warnOfHttpFlags(named: ReadonlySet<string>, log: Log): void {
  const used = Object.keys(HTTP_FLAGS).filter((name) => named.has(name));
  if (used.length === 0) return;
  const flags = used.map((name) => `--${name}`).join(", ");
  log.warn(`no effect on stdio: ${flags}; did you mean to add --transport http?`);
}
