import { onFilesChange, projectFileOf } from "#config";
import type { ServerPlan } from "#server";
import { createSwappedServices } from "#server";
import { type DisabledByClient, disabledFile, readDisabledSets } from "#skills";
import type { Log, ObserveWork } from "#util";
import { singleFlight } from "#util";
import { type OpenedApp, openApp } from "./open-app.ts";
import { filesOfOneThing } from "./settings-problems.ts";

interface FollowOptions {
  /** The plan of a server that starts now. Wrong flags are a `Refusal`. */
  readonly planNow: () => Promise<ServerPlan>;
  readonly observe: ObserveWork | undefined;
  readonly log: Log;
}

/** What a server on stdio serves: as its settings say at each moment, while its client stays connected. */
export interface FollowedApp {
  readonly services: ReturnType<typeof createSwappedServices>["services"];
  /** As it is now, with everything that is wrong. */
  readonly plan: () => ServerPlan;
  readonly disabledByClient: DisabledByClient;
  close(): Promise<void>;
}

/** One app, as long as no settings change. */
interface Current extends Pick<OpenedApp, "close" | "services" | "sources" | "plan"> {
  readonly disabled: DisabledByClient | undefined;
  /** Another value means that clients may be told something else. */
  readonly told: string;
}

/**
 * Opens what a server on stdio serves, whatever is wrong in its settings, and opens it again when a settings file changes: a
 * mistake and its repair are seen without a restart.
 */
export async function followApp(first: ServerPlan, options: FollowOptions): Promise<FollowedApp> {
  const { planNow, observe, log } = options;
  let isClosed = false;
  let stopFollowing = (): void => {};

  let logged: ReadonlySet<string> = new Set();
  const logProblems = ({ app: { wrongSettings = [] } }: ServerPlan): void => {
    const lines = wrongSettings.map(({ place, message }) => `${place}: ${message}`);
    for (const line of lines) if (!logged.has(line)) log.error(line);
    logged = new Set(lines);
  };
  const open = async (plan: ServerPlan): Promise<Current> => {
    const app = await openApp(plan, log, { observe, onProblems: reopen });
    logProblems(app.plan);
    const { sets } = readDisabledSets(disabledFile(plan.ownFolder));
    return {
      ...app,
      disabled: plan.settings.disabledByClient?.(),
      told: JSON.stringify([app.plan.settings, sets]),
    };
  };
  const reload = singleFlight(async () => {
    if (isClosed) return;
    try {
      // First: what changes while they are read is seen as another change.
      await follow();
      const next = await open(await planNow());
      if (isClosed) {
        await next.close();
        return;
      }
      const last = current;
      const closeLast = (): void => void last.close().catch((error: unknown) => log.debug(String(error)));
      current = next;
      await swapped.swap(next.services, next.told !== last.told, closeLast);
      const isWrong = next.plan.app.wrongSettings !== undefined;
      log.info(isWrong ? "settings read again: something is wrong with them" : "settings read again");
    } catch (error) {
      log.error(`settings not reloaded, the previous ones stay in use: ${String(error)}`);
    }
  });
  function reopen(): void {
    void reload();
  }
  const follow = async (): Promise<void> => {
    stopFollowing();
    const { home, ownFolder } = current.plan;
    const files = [
      await projectFileOf({ cwd: process.cwd(), home }),
      ...current.sources.settingsFiles,
      ...filesOfOneThing(ownFolder),
    ];
    if (!isClosed) stopFollowing = onFilesChange(files, reopen);
  };

  let current = await open(first);
  const swapped = createSwappedServices(current.services);
  await follow();
  return {
    services: swapped.services,
    plan: () => current.plan,
    disabledByClient: (client) => current.disabled?.(client),
    async close() {
      isClosed = true;
      stopFollowing();
      await current.close();
    },
  };
}
