import { offerOf } from "../mcp/server/capabilities.ts";
import type { Refusal } from "../skill/refusal.ts";
import type { Log } from "../system/log.ts";
import type { FlagValues } from "./flags.ts";
import { openPlanned, planServer, type ServeOptions } from "./plan-server.ts";
import { HTTP_FLAGS, type SERVER_FLAGS } from "./server-flags.ts";
import { openEarlyStdin } from "./stdio/early-stdin.ts";
import { introduce } from "./stdio/first-answers.ts";
import { listenForShutdown } from "./stdio/shutdown.ts";

/** Serves MCP on the transport that was asked for, and returns the exit code. */
export async function runMcpServer(
  given: FlagValues<typeof SERVER_FLAGS>,
  options: ServeOptions,
  log: Log,
): Promise<number> {
  const { transport = "stdio" } = given;
  if (transport !== "stdio") {
    // Loaded on demand: a client on stdio waits for nothing that it does not need.
    const { serveHttp } = await import("./http/serve-http.ts");
    return serveHttp(given, options, { sseOnly: transport === "sse", showPage: false }, log);
  }
  sayUnused(given, log);
  const plan = planServer(given, options, {});
  const stdin = openEarlyStdin(process.stdin);
  const shutdown = listenForShutdown();
  const sources = await openPlanned(plan, log);
  // A client that waits for `initialize` has its answer before anything is read, and its list before the SDK is loaded.
  const early = await introduce(stdin, offerOf(plan.settings), process.stdout);
  const { openApp, WRONG_SETTINGS } = await import("./open-app.ts");
  const opened = openApp(plan, sources, log);
  let refusal: Refusal | undefined;
  void opened.broken.then((error) => {
    refusal = error;
    // Agents that wait for the library are told first.
    setTimeout(() => shutdown.begin(WRONG_SETTINGS), FAREWELL_MS);
  });
  try {
    await Promise.race([early.answerFirstList(opened.lists.early), shutdown.reason]);
    stdin.release();
    const { serveStdio } = await import("./stdio/serve-stdio.ts");
    await serveStdio(opened, plan, { stdin, early, shutdown }, log);
  } finally {
    await opened.close();
  }
  if (refusal !== undefined) throw refusal;
  return 0;
}

const FAREWELL_MS = 100;

/** Someone who names a port expects it to be open. */
function sayUnused(given: FlagValues<typeof SERVER_FLAGS>, log: Log): void {
  const names = Object.keys(HTTP_FLAGS) as readonly (keyof typeof HTTP_FLAGS)[];
  const used = names.filter((name) => {
    const value = given[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
  if (used.length === 0) return;
  const flags = used.map((name) => `--${name}`).join(", ");
  log.warn(`${flags} changes nothing on stdio: did you mean to add --transport http?`);
}
