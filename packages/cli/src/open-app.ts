import type { Fleet } from "#fleet";
import { connectRedis, mayPoll, openFleetShare } from "#fleet";
import type { ServerPlan } from "#server";
import { compose, findStartInputs, type Services } from "#server";
import { disabledFile, readDisabledSets } from "#skills";
import { openSources, type Sources } from "#sources";
import { refuseWrongPolicy } from "#trust";
import type { Log, ObserveWork } from "#util";
import { nothingLeft } from "./nothing-left.ts";

/** What every transport serves. */
export interface OpenedApp extends Pick<Sources, "git" | "broken"> {
  /** Undefined for a server that is the only one. */
  readonly redis: Fleet["redis"] | undefined;
  readonly services: Services;
  readonly sources: Pick<Sources, "settings" | "readSettings" | "replaceSettings" | "settingsFiles">;
  readonly close: () => Promise<void>;
}

interface OpenOptions {
  /** Called for scans, searches, scripts and fetches. */
  readonly observe?: ObserveWork | undefined;
  /** This server may be one of several, with the address of their Redis if a flag names it. */
  readonly replica?: { readonly redis: string | undefined };
}

/** The reason for shutdown when the library has invalid settings; the details are printed last. */
export const WRONG_SETTINGS = "the library's settings are invalid";

/** Reads the settings, opens the repositories and the skills. Invalid settings are a `Refusal`. */
export async function openApp(
  plan: ServerPlan,
  log: Log,
  { observe, replica }: OpenOptions = {},
): Promise<OpenedApp> {
  const { app: options, ownFolder } = plan;
  const { library, userDir, repos, autoRefresh } = options;
  const { problem } = readDisabledSets(disabledFile(ownFolder));
  if (problem !== undefined) log.warn(`${problem} Until then, no skill is disabled for a single agent.`);
  if (findStartInputs(plan).policy) await refuseWrongPolicy(ownFolder);
  const environment = process.env;
  const sources = await openSources({ library, repos, userDir, environment, announces: true, observe, log });
  const { git, broken, usage } = sources;
  const redis = replica && (await connectRedis(replica.redis, sources.settings().values.server.redis, log));
  const share = await openFleetShare(redis, ownFolder, usage.caller);
  const { services, close } = compose({
    ...options,
    config: () => sources.settings().values,
    usage,
    ...(git === undefined ? {} : { git }),
    ...(observe === undefined ? {} : { observe }),
    ...(share === undefined ? {} : { share }),
    log,
  });
  const { enabled, interval_minutes } = sources.settings().values.refresh;
  const intervalMs = autoRefresh === true && enabled ? interval_minutes * 60_000 : undefined;
  git?.start(intervalMs, redis && mayPoll(redis, intervalMs ?? 0));
  void warnIfNothingIsLeft(services, log);
  return {
    services,
    sources,
    git,
    broken,
    redis,
    close: async () => {
      await Promise.all([close(), sources.close()]);
      await redis?.close();
    },
  };
}

/** Warns an operator of a profile or a filter that leaves no skill. A scan that fails is logged by the registry. */
async function warnIfNothingIsLeft(services: Pick<Services, "skills" | "checks">, log: Log): Promise<void> {
  const reason = await nothingLeft(services).catch(() => undefined);
  if (reason !== undefined) log.warn(`${reason}; skills-mcp config shows what the settings files say`);
}
