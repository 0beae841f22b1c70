import { ownProgram } from "#agents";
import { refuseProblems } from "#config";
import type { ServerPlan, ServerSettings } from "#server";
import { createFirstAnswers, createToolList, openStdioSession, type StdioSession } from "#server";
import type { Telemetry } from "#telemetry";
import type { Log } from "#util";
import { memoizeWeak } from "#util/pure";
import type { CommandInvocation } from "./command.ts";
import { type FollowedApp, followApp } from "./follow-app.ts";
import { openServerTelemetry, TELEMETRY_DEADLINE_MS } from "./observe/open-telemetry.ts";
import { planDespiteProblems } from "./plan-despite-problems.ts";
import type { ServeOptions } from "./plan-server.ts";
import { HTTP_FLAGS, type SERVER_FLAGS } from "./server-flags.ts";

/** For people who start a server on a terminal: it waits for a program, and nothing that they type helps. */
const WAITING = "Waiting for an MCP client on standard input; Ctrl+C to stop.";

/** Serves MCP on the chosen transport and returns the exit code. */
export async function runServer(
  invocation: CommandInvocation<typeof SERVER_FLAGS>,
  options: ServeOptions,
): Promise<number> {
  const startedAt = Date.now();
  const { given, read, readNow, named, terminal, log: ownLog } = invocation;
  const { transport = "stdio" } = given;
  if (transport !== "stdio") {
    // An operator who starts it sees what is wrong.
    refuseProblems(read.problems);
    // Loaded on demand: stdio needs no HTTP server.
    const { serveHttp } = await import("./http/serve-http.ts");
    return serveHttp(invocation, options, { sseOnly: transport === "sse", showPage: false });
  }
  warnOfHttpFlags(named, ownLog);
  const { plan, session } = terminal.early ?? {
    plan: planDespiteProblems(read, options),
    session: openStdioSession(terminal.stdio),
  };
  if ("isTTY" in terminal.stdio.stdin && terminal.stdio.stdin.isTTY === true)
    terminal.logLine(`${WAITING} To connect an agent: ${ownProgram().shown} connect`);
  const telemetry = await openServerTelemetry(given, ownLog);
  const log = telemetry.logTo(ownLog);
  const planNow = async (): Promise<ServerPlan> => planDespiteProblems(await readNow(), options);
  const app = await followApp(plan, { planNow, observe: telemetry.work, log });
  const settings = settingsOf(app, { ...observationOf(telemetry, session), log });
  const { services, plan: planOfNow } = app;
  const { likelyUse } = services.usage;
  const listsOf = memoizeWeak((of: ServerPlan["settings"]) => createToolList(of, likelyUse));
  const listTools: ReturnType<typeof createToolList> = (...asked) => listsOf(planOfNow().settings)(...asked);
  const skills = { ...services.skills, likelyUse, plan: planOfNow, startedAt };
  const firstAnswers = createFirstAnswers(skills, listTools);
  try {
    await Promise.race([session.answerFirstRequests(settings, firstAnswers.to), session.end]);
    // A client that asks for nothing more may end the session at any moment; one that does is answered first.
    if ((await session.stdin.nextLine(0)) === undefined) firstAnswers.save();
    // Loaded last: the SDK takes longer to load than everything else.
    const { serveStdio } = await import("#server");
    await serveStdio(services, settings, listTools, session);
  } finally {
    firstAnswers.save();
    await Promise.all([app.close(), telemetry.close(TELEMETRY_DEADLINE_MS)]);
  }
  return 0;
}

/** What the server answers with, as it is now: settings may change while its client is connected. */
function settingsOf(
  { plan, disabledByClient }: FollowedApp,
  more: Pick<ServerSettings, "observation" | "log">,
): ServerSettings {
  const { settings } = plan();
  return {
    ...settings,
    ...more,
    disabledByClient: () => disabledByClient,
    get tools() {
      return plan().settings.tools;
    },
    get toolNames() {
      return plan().settings.toolNames;
    },
  };
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
