import type { Usage, UsageState } from "../usage/create-usage.ts";
import type { UsageSettings } from "./options.ts";

/** Loaded when something is used: a command that prints a list records nothing. */
export function createLazyUsage(
  folder: string,
  settings: UsageSettings | undefined,
  log: (line: string) => void,
): Pick<Usage, "record" | "close"> & { readonly state: () => UsageState | undefined } {
  if (settings === undefined) return { record() {}, state: () => undefined, close: async () => {} };
  const { endpoint, context, history } = settings;
  let usage: Promise<Usage> | undefined;
  let current: Usage | undefined;
  return {
    record(type, data) {
      usage ??= import("../usage/create-usage.ts").then(({ createUsage }) =>
        createUsage({ folder, endpoint, context, history, serverId: serverId(), now: Date.now, log }),
      );
      void usage.then((opened) => {
        current = opened;
        opened.record(type, data);
      });
    },
    state: () => current?.state(),
    close: async (deadlineMs) => (await usage)?.close(deadlineMs),
  };
}

function serverId(): string {
  return `dev-${process.env["USER"] ?? process.env["USERNAME"] ?? "unknown"}`;
}
