import path from "node:path";
import type { App } from "../app/create-app.ts";
import { hasLibrary } from "../app/library/open-sources.ts";
import { type CachedList, openCachedList } from "../mcp/definitions/cached-list.ts";
import { descriptionBudgetFor } from "../mcp/definitions/client-budget.ts";
import { createToolList, type ListTools } from "../mcp/definitions/tool-list.ts";
import { capabilitiesOf } from "../mcp/server/capabilities.ts";
import type { Refusal } from "../skill/refusal.ts";
import { homeFolder } from "../system/home-folder.ts";
import type { Log } from "../system/log.ts";
import { VERSION } from "../version.ts";
import type { FlagValues } from "./flags.ts";
import { openApp, WRONG_SETTINGS } from "./open-app.ts";
import { planServer, type ServeOptions, type ServerPlan } from "./plan-server.ts";
import { HTTP_FLAGS, type SERVER_FLAGS } from "./server-flags.ts";
import { openStdioSession } from "./stdio/stdio-session.ts";

/** Agents that wait for the library get their answer before the server ends. */
const LAST_ANSWERS_MS = 100;

/** By then a client has its first answers. */
const IDLE_MS = 1_000;

/** Serves MCP on the chosen transport and returns the exit code. */
export async function runMcpServer(
  given: FlagValues<typeof SERVER_FLAGS>,
  options: ServeOptions,
  log: Log,
): Promise<number> {
  const { transport = "stdio" } = given;
  if (transport !== "stdio") {
    // Loaded on demand: stdio needs no HTTP server.
    const { serveHttp } = await import("./http/serve-http.ts");
    return serveHttp(given, options, { sseOnly: transport === "sse", showPage: false }, log);
  }
  warnOfHttpFlags(given, log);
  const plan = planServer(given, options, {});
  const settings = { ...plan.settings, log };
  const session = openStdioSession(process);
  const { app, broken, close } = await openApp(plan, log);
  let refusal: Refusal | undefined;
  void broken.then((error) => {
    refusal = error;
    setTimeout(() => session.onEnd(WRONG_SETTINGS), LAST_ANSWERS_MS);
  });
  try {
    await session.answerInitialize(capabilitiesOf(settings));
    const listTools = createToolList(settings);
    const firstList = createFirstList(app, plan, listTools);
    await Promise.race([session.answerFirstList(firstList), session.end]);
    // Loaded last: the SDK takes longer to load than everything else.
    const { serveStdio } = await import("./stdio/serve-stdio.ts");
    await serveStdio(app, settings, listTools, session);
  } finally {
    await close();
  }
  if (refusal !== undefined) throw refusal;
  return 0;
}

/** The first list of tools: that of the last run if it is still right, else after the first scan. */
function createFirstList(app: App, plan: ServerPlan, listTools: ListTools) {
  const startedAt = Date.now();
  return async (clientName: string): Promise<object> => {
    const cache = cachedListFor(plan, clientName);
    const fresh = async (): Promise<object> => {
      const snapshot = await app.snapshot();
      const list = listTools(snapshot, clientName);
      setTimeout(() => cache?.write(list, snapshot, startedAt), IDLE_MS).unref();
      return list.answer;
    };
    const cached = cache?.read();
    if (cached === undefined) return fresh();
    // Cached anew for the next run. This run's client is notified if the SDK's list differs.
    setImmediate(() => void fresh().catch(() => {}));
    return cached;
  };
}

/** Undefined with a library, whose content the cache does not check, and where nobody would notify the client. */
function cachedListFor({ app, settings }: ServerPlan, clientName: string): CachedList | undefined {
  if (hasLibrary(app.library, process.env) || !settings.announcesChanges) return undefined;
  const home = path.resolve(app.userDir ?? homeFolder());
  const budget = settings.descriptionBudget ?? descriptionBudgetFor(clientName);
  const key = JSON.stringify([VERSION, process.cwd(), home, app, settings, budget]);
  return openCachedList(path.join(home, ".skills-mcp", "cache"), key);
}

/** Someone who names a port expects it to be open. */
function warnOfHttpFlags(given: FlagValues<typeof SERVER_FLAGS>, log: Log): void {
  const names = Object.keys(HTTP_FLAGS) as readonly (keyof typeof HTTP_FLAGS)[];
  const used = names.filter((name) => {
    const value = given[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
  if (used.length === 0) return;
  const flags = used.map((name) => `--${name}`).join(", ");
  log.warn(`${flags} changes nothing on stdio: did you mean to add --transport http?`);
}
