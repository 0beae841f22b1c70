import { NO_LOG } from "#util";
import type { UsageState } from "../create-usage.ts";
import { batchKey } from "../deliver/batch.ts";
import { type Answer, createEndpointHealth, type EndpointHealth } from "../deliver/endpoint.ts";
import { createOutbox, type OutboxOptions, removeFiles, setAside } from "../deliver/outbox.ts";
import { createConsumer } from "./consume.ts";
import { batchOf } from "./fleet-counts.ts";
import { createSentFiles } from "./sent-files.ts";
import type { Receipt, SharedLog } from "./shared-log.ts";

/** More files than this wait for a slow endpoint; until then, new events stay in the journal. */
const MOST_SENT_FILES = 64;

export interface RelayOptions
  extends Pick<
    OutboxOptions,
    "folder" | "disclosure" | "salt" | "now" | "log" | "signal" | "commitMs" | "limits"
  > {
  readonly shared: SharedLog;
  /** The endpoint, and how to reach it; undefined: events are only counted. */
  readonly endpoint:
    | {
        readonly name: string;
        readonly health: EndpointHealth;
        readonly send: (lines: readonly string[]) => Promise<Answer>;
      }
    | undefined;
  readonly intervalMs: number;
  readonly random: () => number;
}

/** Brings events from the journal into the log that replicas share, counts them there, and delivers what is in it. */
export function openRelay(options: RelayOptions) {
  const { folder, shared, endpoint, now, intervalMs, random } = options;
  const sent = createSentFiles(folder, shared, now);
  const writer = createWriter(shared, endpoint !== undefined);
  const outbox = createOutbox({
    ...options,
    target: "redis",
    // That Redis is away is logged where the connection is.
    health: createEndpointHealth({
      name: "redis",
      intervalMs,
      longestBackoffMs: intervalMs,
      now,
      random,
      log: NO_LOG,
    }),
    adoptSent: false,
    keepsHeads: endpoint !== undefined,
    send: writer.send,
    async finish(files) {
      const receipt = writer.takeReceipt();
      if (receipt === "done") await removeFiles(files);
      else if (receipt === "unknown") outbox.resend(files);
      else await sent.add(files, receipt);
    },
  });
  const consumer = endpoint && openConsumer(options, endpoint);

  /** Never rejects. */
  async function flush(skipBackoff: boolean): Promise<void> {
    if (sent.size() < MOST_SENT_FILES || skipBackoff) await outbox.flush(skipBackoff);
    await consumer?.run(skipBackoff);
    outbox.resend(await sent.check().catch(() => []));
  }

  let running: Promise<void> | undefined;
  const tick = (): void => {
    // In an outage, events stay in the journal.
    if (shared.isAway()) return;
    running ??= flush(false).finally(() => {
      running = undefined;
    });
  };
  const timer = setInterval(tick, intervalMs).unref();
  return {
    outbox: { ...outbox, flush },
    state: (): UsageState => ({
      ...outbox.counts(),
      delivered: consumer?.delivered() ?? 0,
      dropped: (consumer?.dropped() ?? 0) + outbox.counts().dropped,
      lastDelivery: endpoint?.health.lastDelivery(),
      failure: endpoint?.health.failure(),
    }),
    stop(): void {
      clearInterval(timer);
      outbox.stop();
    },
  };
}

/** Delivers what is in the log, and counts it. */
function openConsumer(
  { folder, shared, log, signal }: RelayOptions,
  endpoint: NonNullable<RelayOptions["endpoint"]>,
) {
  let delivered = 0;
  let dropped = 0;
  const drop = (count: number): void => {
    dropped += count;
  };
  const consumer = createConsumer({
    ...endpoint,
    log: shared,
    signal,
    onRefused: (lines) => setAside(lines, { folder, target: endpoint.name, log }, drop),
    onDelivered(count) {
      delivered += count;
    },
  });
  return { ...consumer, delivered: () => delivered, dropped: () => dropped };
}

/** Writes batches to the log, and remembers where the last ones are. */
function createWriter(shared: SharedLog, delivers: boolean) {
  let receipts: Receipt[] = [];
  return {
    async send(lines: readonly string[]): Promise<Answer> {
      const { deliverable, counts } = batchOf(lines);
      try {
        const receipt = await shared.add(batchKey(lines), delivers ? deliverable : [], counts);
        if (receipt === "full")
          return {
            kind: "unavailable",
            reason: "too many events wait for the endpoint",
            retryAfterMs: undefined,
          };
        receipts.push(receipt);
        return { kind: "accepted" };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return { kind: "unavailable", reason, retryAfterMs: undefined };
      }
    },
    /** Where everything since the last call is; `done`: nothing waits for a delivery; `unknown`: the log changed meanwhile. */
    takeReceipt(): Receipt | "done" | "unknown" {
      const taken = receipts.filter(({ last }) => last !== "");
      const epochs = new Set(receipts.map(({ epoch }) => epoch));
      receipts = [];
      const last = taken.at(-1);
      if (epochs.size > 1) return "unknown";
      return last ?? "done";
    },
  };
}
