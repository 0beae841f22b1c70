import { createDelivery } from "../deliver/delivery.ts";
import type { Answer, EndpointHealth } from "../deliver/endpoint.ts";
import type { LogEntry, SharedLog } from "./shared-log.ts";

const MOST_ENTRIES = 200;

export interface ConsumerOptions {
  readonly log: SharedLog;
  readonly health: EndpointHealth;
  readonly send: (lines: readonly string[]) => Promise<Answer>;
  /** Takes events that the endpoint keeps refusing. */
  readonly onRefused: (lines: readonly string[]) => Promise<void>;
  readonly onDelivered: (count: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Delivers entries of the shared log to the endpoint. An entry leaves the log only once the endpoint accepted it, so that it is
 * delivered at least once, by whichever replica is there.
 */
export function createConsumer({ log, health, send, onRefused, onDelivered, signal }: ConsumerOptions) {
  const delivery = createDelivery({ touch: async () => {}, onRefused, onDelivered });
  /** Read, and not accepted yet. */
  let open: readonly LogEntry[] = [];

  /** Delivers a batch. False when there is nothing more to do now. */
  async function step(skipBackoff: boolean): Promise<boolean> {
    if (open.length > 0) await log.hold(open.map(({ id }) => id));
    if (!health.mayAsk(skipBackoff) || signal.aborted) return false;
    if (open.length === 0) open = await log.read(MOST_ENTRIES);
    if (open.length === 0) return false;
    const { fromMemory, failure } = await delivery.deliver(
      [],
      open.map(({ text }) => text),
      send,
    );
    const done = open.slice(0, fromMemory);
    open = open.slice(fromMemory);
    if (failure === undefined) health.succeeded();
    else health.failed(failure);
    if (done.length > 0) await log.done(done.map(({ id }) => id));
    return failure === undefined && !signal.aborted;
  }

  let last: Promise<void> = Promise.resolve();
  return {
    /** Delivers what there is. Never rejects: without the log, its entries are delivered later, or by another replica. */
    run(skipBackoff: boolean): Promise<void> {
      last = last.then(async () => {
        try {
          while (!log.isAway() && (await step(skipBackoff)));
        } catch {
          // What was read may be with another replica by then, or lost; who wrote it still has it.
          open = [];
        }
      });
      return last;
    },
  };
}
