import type { Profiles } from "#skills";
import type { GitLibraries } from "#sources";
import type { Log } from "#util";
import { memoizeWeak } from "#util/pure";
import { forProfiles } from "../mcp/definitions/tool-sets.ts";
import { createServerFactory, type McpServices } from "../mcp/server/create-server.ts";
import type { ServerPlan } from "../server-plan.ts";
import type { Services } from "../services.ts";
import { type DashboardOptions, openDashboard } from "./api/dashboard-page.ts";
import type { HttpObservers } from "./http-observers.ts";
import { REFRESH_HOOK_PATH, type RefreshHook } from "./ops/refresh-hook.ts";
import { explainBusyPort } from "./server/busy-port.ts";
import { createHttpServer } from "./server/create-http-server.ts";
import type { HttpServer } from "./server/listener.ts";
import type { HttpServerOptions } from "./server/options.ts";
import type { HttpProfiles } from "./server/profile-of.ts";
import type { ServerFactory } from "./transports/sessions.ts";

/** Addresses and guards, as the command line reads them. */
type Listening = Pick<
  HttpServerOptions,
  | "host"
  | "port"
  | "publicUrl"
  | "allowedHosts"
  | "allowedOrigins"
  | "auth"
  | "sseOnly"
  | "fleet"
  | "fleetHealth"
>;

export interface HttpServing extends Listening, Pick<HttpServerOptions, "services"> {
  /** With the settings that are in force now. */
  readonly plan: () => ServerPlan;
  readonly profiles: Profiles;
  /** The profile of callers whose token names none. */
  readonly ofOthers: string | undefined;
  /** The profile whose skills installers without a token may download. */
  readonly ofInstallers: string | undefined;
  readonly git: GitLibraries | undefined;
  /** What a git server signs its announcements of a push with; undefined: it cannot announce one. */
  readonly webhookSecret: string | undefined;
  /** Undefined: no web dashboard. */
  readonly dashboard: Pick<DashboardOptions, "lists" | "key" | "start"> | undefined;
  readonly observers: HttpObservers;
}

/** Serves MCP, the dashboard and everything else that a server over HTTP has, until it is closed. */
export async function openHttpServer({
  services,
  plan,
  profiles,
  ofOthers,
  ofInstallers,
  git,
  webhookSecret,
  dashboard,
  observers,
  ...listening
}: HttpServing): Promise<HttpServer> {
  const { log, measures } = observers;
  const views = createHttpProfiles(services, plan(), { profiles, ofOthers, ofInstallers });
  const server = createHttpServer({
    ...listening,
    services,
    factory: currentFactory(services, plan, { profiles, viewOf: views.viewOf }, observers),
    profiles: views,
    git: () => git?.states() ?? [],
    refreshHook: refreshHookOf(git, webhookSecret, log),
    page: dashboard && (await openDashboard({ services, ...dashboard, calls: observers.calls }, log)),
    ...measures,
    log,
  });
  return server.catch(async (error: unknown) => {
    throw await explainBusyPort(error, listening.host);
  });
}

/** The view of each profile, within what the profiles for everyone leave. */
function createHttpProfiles(
  services: Pick<Services, "narrowed">,
  plan: ServerPlan,
  { profiles, ...chosen }: Pick<HttpServing, "profiles" | "ofOthers" | "ofInstallers">,
): HttpProfiles {
  const always = plan.app.profiles?.map(({ name }) => name) ?? [];
  const views = new Map<string, Services>();
  return {
    names: profiles.names,
    has: profiles.has,
    ...chosen,
    viewOf(name) {
      const view = views.get(name) ?? services.narrowed(profiles.inForce([...new Set([...always, name])]));
      views.set(name, view);
      return view;
    },
  };
}

/** A session keeps the settings that it began with; a request since 2026-07-28 is served with the newest. */
function currentFactory(
  services: McpServices,
  plan: () => ServerPlan,
  { profiles, viewOf }: Pick<HttpProfiles, "viewOf"> & Pick<HttpServing, "profiles">,
  { requests, log }: HttpObservers,
): ServerFactory {
  const own = { observation: requests, log };
  const factoriesOf = memoizeWeak((_plan: ServerPlan) => new Map<string, ServerFactory>());
  const factoryOf = (current: ServerPlan, profile: string | undefined): ServerFactory => {
    const factories = factoriesOf(current);
    const factory = factories.get(profile ?? "") ?? createFactory(current, profile);
    factories.set(profile ?? "", factory);
    return factory;
  };
  // Made now, so that the first request need not wait for it.
  factoryOf(plan(), undefined);
  return (context) => factoryOf(plan(), context.profile)(context);

  function createFactory({ settings }: ServerPlan, profile: string | undefined): ServerFactory {
    if (profile === undefined) return createServerFactory(services, { ...settings, ...own });
    const narrowed = forProfiles(settings, profiles.of([profile]));
    return createServerFactory(viewOf(profile), { ...settings, ...narrowed, cacheScope: "private", ...own });
  }
}

/** What a push to one of the repositories starts. */
function refreshHookOf(
  git: GitLibraries | undefined,
  secret: string | undefined,
  log: Log,
): RefreshHook | undefined {
  if (secret === undefined) return undefined;
  if (git === undefined) {
    log.warn(`a webhook secret is set, but no repository, so ${REFRESH_HOOK_PATH} answers 404`);
    return undefined;
  }
  return {
    secret,
    repositories: () => git.states().map(({ name }) => name),
    refresh: () => git.refresh({ wait: true }),
  };
}
