import { NO_LOG } from "#util";
import type { UsageState } from "../create-usage.ts";
import { batchKey, createEndpointHealth, type EndpointHealth, type SendResult } from "../deliver/endpoint.ts";
import type { EventFiles } from "../deliver/event-files.ts";
import { createOutbox, type OutboxOptions, setAside } from "../deliver/outbox.ts";
import { createSender } from "../deliver/sender.ts";
import { batchOf, type LogEntry, type Receipt, type SharedLog } from "./fleet-usage.ts";

/** With this many files waiting for a slow endpoint, new events stay in the file that they were appended to. */
const MOST_SENT_FILES = 64;
const MOST_ENTRIES = 200;

export interface RelayOptions extends Omit<OutboxOptions, "target" | "send" | "health" | "replicas"> {
  readonly shared: SharedLog;
  /** Undefined: events are only counted. */
  readonly endpoint: RelayEndpoint | undefined;
  readonly intervalMs: number;
  readonly random: () => number;
}

interface RelayEndpoint {
  readonly name: string;
  readonly health: EndpointHealth;
  readonly send: (lines: readonly string[]) => Promise<SendResult>;
}

/** Brings events from files into the log that replicas share, counts them there, and delivers what is in it. */
export function openRelay(options: RelayOptions) {
  const { shared, endpoint, now, intervalMs, random } = options;
  const writer = createLogWriter(shared, endpoint !== undefined);
  const outbox = createOutbox({
    ...options,
    target: "redis",
    send: writer.send,
    // The part that connects to Redis logs that it is away.
    health: createEndpointHealth({
      name: "redis",
      intervalMs,
      longestBackoffMs: intervalMs,
      now,
      random,
      log: NO_LOG,
    }),
    replicas: {
      async onSent(sent, files) {
        const receipt = writer.takeReceipt();
        if (receipt === "done") await files.remove(...sent);
        else if (receipt !== "unknown") for (const file of sent) await files.mark(file, receipt);
      },
    },
  });
  const consumer = endpoint && createConsumer(options, endpoint);
  return {
    ...outbox,
    /** Never rejects. */
    async flush(skipBackoff: boolean): Promise<void> {
      // In an outage, events stay in their files. At the end of the process, they go to the shared one.
      if (shared.isAway() && !skipBackoff) return;
      if (outbox.files.sent().length < MOST_SENT_FILES || skipBackoff) await outbox.flush(skipBackoff);
      await consumer?.run(skipBackoff);
      await settleSent(outbox.files, shared).catch(() => {});
    },
    state: (): UsageState => ({
      ...outbox.counts(),
      delivered: consumer?.delivered() ?? 0,
      dropped: (consumer?.dropped() ?? 0) + outbox.counts().dropped,
      lastDelivery: endpoint?.health.lastDelivery(),
      failure: endpoint?.health.failure(),
    }),
  };
}

/** Removes files whose events were delivered. Those that the log lost, as Redis may at a restart, are to be sent again. */
async function settleSent(files: EventFiles, shared: SharedLog): Promise<void> {
  const sent = files.sent();
  if (sent.length === 0) return;
  const { epoch, first } = await shared.status();
  for (const [file, receipt] of sent) {
    if (receipt.epoch !== epoch) await files.mark(file);
    else if (first === "" || isBefore(receipt.last, first)) await files.remove(file);
  }
}

/** Ids of a stream are `<milliseconds>-<number>`. */
function isBefore(a: string, b: string): boolean {
  const [time = 0n, sequence = 0n] = a.split("-").map(BigInt);
  const [otherTime = 0n, otherSequence = 0n] = b.split("-").map(BigInt);
  return time < otherTime || (time === otherTime && sequence < otherSequence);
}

/** Writes batches to the log, and remembers where they are. */
function createLogWriter(shared: SharedLog, delivers: boolean) {
  let receipts: Receipt[] = [];
  return {
    async send(lines: readonly string[]): Promise<SendResult> {
      const { deliverable, counts } = batchOf(lines);
      try {
        const receipt = await shared.add(batchKey(lines), delivers ? deliverable : [], counts);
        if (receipt === "full") return unavailable("too many events wait for the endpoint");
        receipts.push(receipt);
        return { kind: "accepted" };
      } catch (error) {
        return unavailable(error instanceof Error ? error.message : String(error));
      }
    },
    /** For everything since the last call; `done`: nothing waits for a delivery; `unknown`: the log lost some meanwhile. */
    takeReceipt(): Receipt | "done" | "unknown" {
      const taken = receipts;
      receipts = [];
      if (new Set(taken.map(({ epoch }) => epoch)).size > 1) return "unknown";
      return taken.findLast(({ last }) => last !== "") ?? "done";
    },
  };
}

function unavailable(reason: string): SendResult {
  return { kind: "unavailable", reason, retryAfterMs: undefined };
}

/**
 * Delivers entries of the log to the endpoint. An entry leaves the log only once the endpoint accepted it, so that it is
 * delivered at least once, by whichever replica is there.
 */
function createConsumer({ folder, shared, log, signal }: RelayOptions, endpoint: RelayEndpoint) {
  const { name: target, health, send } = endpoint;
  let delivered = 0;
  let dropped = 0;
  const onDropped = (count: number): void => {
    dropped += count;
  };
  const sendAll = createSender({
    send,
    onRefused: (lines) => setAside(lines, { folder, target, log }, onDropped),
    onDelivered(count) {
      delivered += count;
    },
  });
  /** Read, and not accepted yet. */
  let entries: readonly LogEntry[] = [];

  /** Delivers some entries. False when there is nothing more to do now. */
  async function step(skipBackoff: boolean): Promise<boolean> {
    if (entries.length > 0) await shared.hold(entries.map(({ id }) => id));
    if (!health.mayAsk(skipBackoff) || signal.aborted) return false;
    if (entries.length === 0) entries = await shared.read(MOST_ENTRIES);
    if (entries.length === 0) return false;
    const { done: count = 0, failure } = await sendAll(
      entries.map(({ text }, index) => ({ text, at: index + 1 })),
    );
    const done = entries.slice(0, count);
    entries = entries.slice(count);
    if (failure === undefined) health.succeeded();
    else health.failed(failure);
    if (done.length > 0) await shared.done(done.map(({ id }) => id));
    return failure === undefined && !signal.aborted;
  }

  let last: Promise<void> = Promise.resolve();
  return {
    /** Delivers what there is. Never rejects: without the log, its entries are delivered later, or by another replica. */
    run(skipBackoff: boolean): Promise<void> {
      last = last.then(async () => {
        try {
          while (!shared.isAway() && (await step(skipBackoff)));
        } catch {
          // Another replica may have these entries by now, or the log may have lost them; their writer still has its file.
          entries = [];
        }
      });
      return last;
    },
    delivered: () => delivered,
    dropped: () => dropped,
  };
}
