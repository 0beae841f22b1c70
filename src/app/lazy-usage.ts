import type { Usage, UsageState } from "../usage/create-usage.ts";
import type { UsageSettings } from "./options.ts";

/** What is used, once anything was. */
export interface LazyUsage extends Pick<Usage, "record" | "close"> {
  /** Undefined before the first event. */
  state(): UsageState | undefined;
}

/** Loaded when something is used: a command that prints a list records nothing. */
export function createLazyUsage(
  folder: string,
  settings: UsageSettings | undefined,
  log: (line: string) => void,
): LazyUsage {
  if (settings === undefined) return { record() {}, state: () => undefined, close: async () => {} };
  const { endpoint, context, history } = settings;
  let usage: Promise<Usage> | undefined;
  let opened: Usage | undefined;
  return {
    record(type, data) {
      usage ??= import("../usage/create-usage.ts").then(({ createUsage }) =>
        createUsage({ folder, endpoint, context, history, serverId: serverId(), now: Date.now, log }),
      );
      void usage.then((loaded) => {
        opened = loaded;
        loaded.record(type, data);
      });
    },
    state: () => opened?.state(),
    close: async (deadlineMs) => (await usage)?.close(deadlineMs),
  };
}

function serverId(): string {
  return `dev-${process.env["USER"] ?? process.env["USERNAME"] ?? "unknown"}`;
}
