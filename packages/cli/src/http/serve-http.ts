import { setTimeout as pause } from "node:timers/promises";
import { ownProgram } from "#agents";
import { projectFileOf } from "#config";
import { followFleet, openFleet } from "#fleet";
import type { ListSettings, ServerPlan, StdioProcess } from "#server";
import { DEFAULT_HTTP_LIMITS, isLoopback, openAuth, openDashboardKey, openHttpServer } from "#server";
import { disabledFile } from "#skills";
import { type Log, ownFolderIn } from "#util";
import { Refusal } from "#util/pure";
import type { CommandInvocation } from "../command.ts";
import { openHttpObservers } from "../observe/http-observers.ts";
import { type OpenedApp, openApp, WRONG_SETTINGS } from "../open-app.ts";
import { planServer, type ServeOptions, sharedFolders } from "../plan-server.ts";
import type { HTTP_FLAGS, SHARED_SERVER_FLAGS } from "../server-flags.ts";
import { profilesOf } from "../shared-flags.ts";
import { type FollowedSettings, followSettings } from "./follow-settings.ts";
import { openProfiles, withProfiles } from "./http-profiles.ts";
import { type HttpSettings, readHttpSettings } from "./http-settings.ts";
import { webhookSecret } from "./webhook-secret.ts";

type RunningServer = Awaited<ReturnType<typeof openHttpServer>>;

export interface HttpServeOptions {
  readonly sseOnly: boolean;
  /** True: the web dashboard is served at `/`. */
  readonly showPage: boolean;
  /** Called once the port is open, with the key of the dashboard if changes need one. */
  readonly onListening?: (url: string, settings: HttpSettings, key: string | undefined) => void;
}

/** Below the 5 s after which some supervisors kill the process. */
const MAX_SHUTDOWN_MS = 4_700;

type HttpFlags = HttpInvocation["given"];
type HttpInvocation = Pick<
  CommandInvocation<typeof HTTP_FLAGS & typeof SHARED_SERVER_FLAGS>,
  "given" | "givenNow" | "log" | "terminal"
>;

/** Serves MCP over HTTP until a signal arrives. Returns the exit code. */
export async function serveHttp(
  { given, givenNow, log: ownLog, terminal }: HttpInvocation,
  options: ServeOptions,
  { sseOnly, showPage, onListening }: HttpServeOptions,
): Promise<number> {
  const settings = readHttpSettings(given);
  const observers = await openHttpObservers(given, ownLog);
  const { log } = observers;
  const secret = await webhookSecret(process.env);
  const signals = listenForSignals(terminal.stdio);
  const own = openProfiles(given);
  const auth = await openAuth({ ...settings, profiles: own.profiles, log });
  let opened: OpenedApp | undefined;
  let server: RunningServer | undefined;
  let reason: Refusal | NodeJS.Signals;
  let followed: FollowedSettings | undefined;
  let fleet: JoinedFleet | undefined;
  try {
    const planOf = createPlanner(options, auth !== undefined);
    const plan = planOf(given);
    const use = { observe: observers.work, replica: { redis: given.redis } };
    opened = await openApp(withProfiles(plan, own.profiles), log, use);
    fleet = await joinFleet(opened, log);
    const { services, git } = { ...opened, ...fleet };
    const key = showPage && auth === undefined ? await openDashboardKey(plan.home) : undefined;
    const files = await followedFiles(plan.home);
    const reload = { takeOver: own.takeOver, reloadTokens: async () => auth?.reload() };
    followed = followSettings({ ...opened, ...reload, files, given, givenNow, plan, planOf, log });
    server = await openHttpServer({
      ...settings,
      services,
      plan: followed.plan,
      profiles: own.profiles,
      ofOthers: own.ofOthers,
      ofInstallers: own.ofInstallers,
      git,
      webhookSecret: secret,
      sseOnly,
      auth,
      fleet: fleet?.fleet,
      fleetHealth: fleet?.health,
      dashboard: showPage ? { lists: listsOf(followed, given), key, start: startFor(settings) } : undefined,
      observers,
    });
    log.info(`listening on ${server.url}/mcp${auth === undefined ? "" : ", bearer token required"}`);
    onListening?.(server.url, settings, key);
    reason = await Promise.race([signals.first, opened.broken]);
    log.info(`shutting down: ${reason instanceof Refusal ? WRONG_SETTINGS : reason}`);
  } catch (error) {
    await Promise.all([opened?.close(), observers.close()]);
    throw error;
  } finally {
    followed?.close();
    auth?.close();
  }
  return shutDown(server, { fleet, opened, observers }, signals, reason);
}

/** Plans a server of these flags, or refuses them. */
function createPlanner(options: ServeOptions, guarded: boolean): (given: HttpFlags) => ServerPlan {
  // Scripts of remote callers always run in a sandbox, without access to the project.
  const reach = { sandboxDefault: "required", remoteCallers: true, guarded } as const;
  return (given) => {
    readHttpSettings(given);
    return planServer(given, options, reach);
  };
}

/** Returns the exit code: 1 when a second signal ended the wait for what is in progress. */
async function shutDown(
  server: RunningServer,
  {
    fleet,
    opened,
    observers,
  }: {
    readonly fleet: JoinedFleet | undefined;
    readonly opened: OpenedApp;
    readonly observers: Awaited<ReturnType<typeof openHttpObservers>>;
  },
  signals: ReturnType<typeof listenForSignals>,
  reason: Refusal | NodeJS.Signals,
): Promise<number> {
  const closed = server
    .close()
    .then(() => fleet?.close())
    .then(() => Promise.all([opened.close(), observers.close()]));
  const code = await Promise.race([
    closed.then(() => 0),
    signals.second.then(() => 1),
    pause(MAX_SHUTDOWN_MS, 0, { ref: false }),
  ]);
  signals.close();
  if (reason instanceof Refusal) throw reason;
  return code;
}

type JoinedFleet = NonNullable<Awaited<ReturnType<typeof joinFleet>>>;

/** Undefined without a Redis: this server is the only one. */
async function joinFleet({ services, git, redis }: OpenedApp, log: Log) {
  if (redis === undefined) return undefined;
  const fleet = await openFleet(redis, DEFAULT_HTTP_LIMITS.idleMs, log);
  const followed = followFleet({ fleet, skills: services.skills, git, log });
  return {
    health: followed.health,
    /** Its clients are told of a change once all replicas serve it. */
    services: { ...services, skills: { ...services.skills, ...followed.listen } },
    fleet,
    async close(): Promise<void> {
      await followed.close();
      fleet.close();
    },
  };
}

/** Files beside those of the settings whose change counts while the server runs. */
async function followedFiles(home: string): Promise<readonly string[]> {
  return [await projectFileOf({ cwd: process.cwd(), home }), disabledFile(ownFolderIn(home))];
}

/** What decides the lists that clients get now, for the dashboard. */
function listsOf({ plan }: FollowedSettings, given: HttpInvocation["given"]): ListSettings {
  return {
    http: () => plan().settings,
    localFolders: () => sharedFolders(false, {}, plan().app.userDir),
    disabledByClient: () => plan().settings.disabledByClient?.(),
    profiles: () => profilesOf(given),
  };
}

/** What starts this program; on other machines it is somewhere else, and only its name is the same. */
function startFor({ host, publicUrl }: HttpSettings) {
  const { command, shown } = ownProgram();
  const isHere = isLoopback(host) && publicUrl === undefined;
  return isHere ? { command, shown } : { command: ["skills-mcp"], shown: "skills-mcp" };
}

/** SIGINT and SIGTERM: the first starts a graceful shutdown, the second ends it at once. */
function listenForSignals(process: Pick<StdioProcess, "on" | "off">) {
  const waiting: ((signal: NodeJS.Signals) => void)[] = [];
  const onSignal = (signal: NodeJS.Signals): void => waiting.shift()?.(signal);
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  const next = (): Promise<NodeJS.Signals> =>
    new Promise((resolve) => {
      waiting.push(resolve);
    });
  return {
    first: next(),
    second: next(),
    close(): void {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}
