import { refuseProblems } from "#config";
import type { Fleet } from "#fleet";
import { connectRedis, mayPoll, openFleetShare } from "#fleet";
import type { ServerPlan } from "#server";
import { compose, findStartInputs, type Services } from "#server";
import { disabledFile, readDisabledSets, whyWithheld } from "#skills";
import { openSources, type Sources } from "#sources";
import { policyProblems } from "#trust";
import type { UsageSettings } from "#usage";
import type { Log, ObserveWork } from "#util";
import { nothingLeft } from "./nothing-left.ts";
import { withProblems } from "./plan-despite-problems.ts";
import { distinctProblems, synonymProblems, withoutFilters } from "./settings-problems.ts";

/** What every transport serves. */
export interface OpenedApp extends Pick<Sources, "git" | "broken"> {
  /** Undefined for a server that is the only one. */
  readonly redis: Fleet["redis"] | undefined;
  /** The plan with everything that is wrong in the settings. */
  readonly plan: ServerPlan;
  readonly services: Services;
  readonly sources: Pick<Sources, "settings" | "readSettings" | "replaceSettings" | "settingsFiles">;
  readonly close: () => Promise<void>;
}

interface OpenOptions {
  /** Called for scans, searches, scripts and fetches. */
  readonly observe?: ObserveWork | undefined;
  /** This server may be one of several, with the address of their Redis if a flag names it. */
  readonly replica?: { readonly redis: string | undefined };
  /** Given by a server that runs whatever is wrong in its settings: called when something else becomes wrong in a repository. */
  readonly onProblems?: () => void;
}

/** Nobody knows what may be recorded and sent. */
const NO_USAGE: UsageSettings = { endpoint: undefined, context: "off", history: false };

/** Refuses rules of trust and approvals that are wrong, before a server starts with them. */
async function refuseWrongFiles(plan: ServerPlan, log: Log): Promise<void> {
  const { problem } = readDisabledSets(disabledFile(plan.ownFolder));
  if (problem !== undefined) log.warn(`${problem} Until then, no skill is disabled for a single agent.`);
  if (findStartInputs(plan).policy) refuseProblems(await policyProblems(plan.ownFolder));
}

/** The reason for shutdown when the library has invalid settings; the details are printed last. */
export const WRONG_SETTINGS = "the library's settings are invalid";

/** Reads the settings, opens the repositories and the skills. Invalid settings are a `Refusal`, unless the server runs with them. */
export async function openApp(
  given: ServerPlan,
  log: Log,
  { observe, replica, onProblems }: OpenOptions = {},
): Promise<OpenedApp> {
  const { ownFolder } = given;
  const { library, userDir, repos, autoRefresh, wrongSettings = [], audit } = given.app;
  if (onProblems === undefined) await refuseWrongFiles(given, log);
  const environment = process.env;
  const wanted = { library, repos, userDir, environment, announces: true };
  const sources = await openSources({ ...wanted, onProblems, observe, log });
  const more =
    onProblems === undefined
      ? []
      : [...(await policyProblems(ownFolder, audit)), ...(await synonymProblems(ownFolder))];
  // The plan knows what filters withhold, if it has any.
  const ofSources = sources.problems.map(withoutFilters);
  const plan = withProblems(given, distinctProblems([...wrongSettings, ...more, ...ofSources]));
  const { app: options } = plan;
  const { git, broken } = sources;
  const usage = whyWithheld("usage", options.wrongSettings).length > 0 ? NO_USAGE : sources.usage;
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
  void warnIfNothingIsLeft(services, log).catch((error: unknown) => log.debug(String(error)));
  return {
    plan,
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
  const { catalog, library } = await services.skills.snapshot();
  if (catalog.entries.length + library.skills.size > 0) return;
  const reason = await nothingLeft(services);
  if (reason !== undefined) log.warn(`${reason}; skills-mcp config shows what the settings files say`);
}
