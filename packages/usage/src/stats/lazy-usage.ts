import type { Log } from "#util";
import type { Usage, UsageState } from "../create-usage.ts";
import type { FleetUsage } from "../relay/fleet-usage.ts";
import type { UsageSettings } from "./usage-settings.ts";

/** Records usage. Its code is loaded with the first event. */
export interface LazyUsage extends Pick<Usage, "record" | "saved" | "close"> {
  /** Undefined before the first event. */
  state(): UsageState | undefined;
}

/**
 * Opens usage with the first event, because most commands record nothing; with an endpoint or replicas at once, because an earlier
 * server may have left events to deliver.
 */
export function createLazyUsage(
  folder: string,
  settings: UsageSettings | undefined,
  fleet: FleetUsage | undefined,
  log: Log,
): LazyUsage {
  if (settings === undefined) {
    return { record() {}, saved: async () => true, state: () => undefined, close: async () => {} };
  }
  let opened: Usage | undefined;
  const open = async (): Promise<Usage> => {
    const { createUsage } = await import("../create-usage.ts");
    opened = createUsage({
      folder,
      ...settings,
      ...(fleet === undefined ? {} : { shared: fleet.log, salt: fleet.salt }),
      serverId: settings.serverId ?? userId(),
      now: Date.now,
      log,
    });
    return opened;
  };
  let usage = settings.endpoint === undefined && fleet === undefined ? undefined : open();
  return {
    record(type, data, by) {
      if (opened !== undefined) {
        opened.record(type, data, by);
        return;
      }
      usage ??= open();
      void usage.then((loaded) => loaded.record(type, data, by));
    },
    saved: async () => (await usage)?.saved() ?? true,
    state: () => opened?.state(),
    close: async (deadlineMs) => (await usage)?.close(deadlineMs),
  };
}

/** An empty variable counts as unset. */
function userId(): string {
  return `dev-${process.env["USER"]?.trim() || process.env["USERNAME"]?.trim() || "unknown"}`;
}
