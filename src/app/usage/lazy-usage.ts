import type { Log } from "../../system/log.ts";
import type { Usage, UsageState } from "../../usage/create-usage.ts";
import type { UsageSettings } from "../options.ts";

/** What is used, once anything was. */
export interface LazyUsage extends Pick<Usage, "record" | "close"> {
  /** Undefined before the first event. */
  state(): UsageState | undefined;
}

/**
 * Loaded when something is used: a command that prints a list records nothing. With an endpoint it is there from the
 * start, because a server before this one may have left events that are still to be delivered.
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

/** A variable that is empty counts as not set. */
function serverId(): string {
  return `dev-${process.env["USER"]?.trim() || process.env["USERNAME"]?.trim() || "unknown"}`;
}
