import { namesInProfile, type SnapshotSource } from "#skills";
import type { Log } from "#util";
import type { Usage, UsageState } from "../create-usage.ts";
import type { QueryText } from "../record/query-text.ts";
import type { FleetUsage } from "../relay/fleet-usage.ts";

/** Records usage. Its code is loaded with the first event. */
interface LazyUsage extends Pick<Usage, "record" | "saved" | "close"> {
  /** Undefined before the first event. */
  state(): UsageState | undefined;
}

/**
 * Opens usage with the first event, because most commands record nothing; with an endpoint, a local file or replicas at once, because
 * an earlier server may have left events.
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
  const isWaiting = settings.endpoint !== undefined || settings.localFile === true || fleet !== undefined;
  let usage = isWaiting ? open() : undefined;
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

/** Records skills under the names that everyone's usage is counted by, not under those that one caller sees. */
export function recordUnderCommonNames(
  { source, usage }: { readonly source: SnapshotSource; readonly usage: LazyUsage },
  snapshot: SnapshotSource["snapshot"],
): LazyUsage {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...usage,
    async saved() {
      await last;
      return usage.saved();
    },
    record(type, data, by) {
      const record = async (): Promise<void> => {
        const { renameSkills } = await import("../events.ts");
        const names = namesInProfile(await source.snapshot())(await snapshot()).outside;
        usage.record(
          type,
          renameSkills(type, data, (name) => names.get(name) ?? name),
          by,
        );
      };
      last = Promise.all([last, record().catch(() => {})]);
    },
  };
}

/** Where usage events go, and what they contain. */
export interface UsageSettings {
  /** Undefined: events are not delivered. */
  readonly endpoint: string | undefined;
  /** Without an endpoint: whether events are stored where they would wait for one, in `analytics-buffer.jsonl`. */
  readonly localFile?: boolean;
  /** How delivered events contain what people typed. The history on this machine always has the text. */
  readonly context: QueryText;
  /** How delivered events name callers; default: as a digest. The history on this machine has their names. */
  readonly caller?: QueryText;
  /** Sent to the endpoint with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What events call this server; undefined: by the name of the user. */
  readonly serverId?: string | undefined;
  /** Whether a history of events is stored on this machine. */
  readonly history: boolean;
}
