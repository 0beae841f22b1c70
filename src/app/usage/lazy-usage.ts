import type { Log } from "../../system/log.ts";
import type { Usage, UsageState } from "../../usage/create-usage.ts";
import type { UsageSettings } from "../options.ts";

/** Records usage. Its code is loaded with the first event. */
export interface LazyUsage extends Pick<Usage, "record" | "close"> {
  /** Undefined before the first event. */
  state(): UsageState | undefined;
}

/**
 * Most commands record nothing. With an endpoint it is opened at the start, because an earlier server may have left
 * events to deliver.
 */
export function createLazyUsage(folder: string, settings: UsageSettings | undefined, log: Log): LazyUsage {
  if (settings === undefined) return { record() {}, state: () => undefined, close: async () => {} };
  const { endpoint, context, history } = settings;
  let opened: Usage | undefined;
  const open = async (): Promise<Usage> => {
    const { createUsage } = await import("../../usage/create-usage.ts");
    opened = createUsage({ folder, endpoint, context, history, serverId: serverId(), now: Date.now, log });
    return opened;
  };
  let usage = endpoint === undefined ? undefined : open();
  return {
    record(type, data) {
      if (opened !== undefined) {
        opened.record(type, data);
        return;
      }
      usage ??= open();
      void usage.then((loaded) => loaded.record(type, data));
    },
    state: () => opened?.state(),
    close: async (deadlineMs) => (await usage)?.close(deadlineMs),
  };
}

/** An empty variable counts as unset. */
function serverId(): string {
  return `dev-${process.env["USER"]?.trim() || process.env["USERNAME"]?.trim() || "unknown"}`;
}
