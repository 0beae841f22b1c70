import { randomBytes } from "node:crypto";
import { Refusal } from "../skill/refusal.ts";
import type { Log } from "../system/log.ts";
import { createEndpointHealth, type EndpointFailure } from "./deliver/endpoint-health.ts";
import { createOutbox, type OutboxLimits } from "./deliver/outbox.ts";
import type { UsageEvent, UsageEvents, UsageEventType } from "./events.ts";
import { createHistory } from "./history/history.ts";
import { createEventIds } from "./record/event-id.ts";
import type { QueryText } from "./record/query-text.ts";
import { recordedFields } from "./record/recorded-fields.ts";

/** What happened, for those who want to know: an endpoint that the operator named, and the history on this machine. */
export interface Usage {
  /** Never throws and never waits. */
  record<T extends UsageEventType>(type: T, data: UsageEvents[T]): void;
  /** Resolves true once everything recorded so far is on disk, where it survives the end of this process. */
  saved(): Promise<boolean>;
  /** Sends what there is now, unless the endpoint asked to be left alone. Never rejects. */
  flush(): Promise<void>;
  state(): UsageState;
  /** Sends what can be sent in time; the rest is in the buffer file. Closing twice is fine. */
  close(deadlineMs: number): Promise<void>;
}

export interface UsageState {
  /** Events of this process that are not sent yet, nor in the buffer file. */
  readonly queued: number;
  readonly delivered: number;
  /** Events given up because there were too many or they were too old. */
  readonly dropped: number;
  readonly lastDelivery: string | undefined;
  readonly failure: EndpointFailure | undefined;
  readonly bufferWritable: boolean;
}

export interface UsageOptions {
  /** `~/.skills-mcp`. Nothing is made there before the first event. */
  readonly folder: string;
  /** Where events are sent; undefined: nowhere. */
  readonly endpoint: string | undefined;
  /** What becomes of the text of queries in delivered events. The history on this machine keeps it. */
  readonly context: QueryText;
  /** True: a history is kept on this machine. */
  readonly history: boolean;
  readonly serverId: string;
  readonly now: () => number;
  readonly log: Log;
  readonly random?: () => number;
  readonly pace?: Partial<UsagePace>;
  readonly limits?: Partial<OutboxLimits>;
}

interface UsagePace {
  /** Between two flushes. */
  readonly intervalMs: number;
  /** From an event to the disk. */
  readonly commitMs: number;
  /** How long an endpoint may take to answer. */
  readonly timeoutMs: number;
}

const PACE: UsagePace = { intervalMs: 30_000, commitMs: 100, timeoutMs: 10_000 };
const LIMITS: OutboxLimits = {
  memoryEvents: 10_000,
  diskBytes: 64 * 1024 * 1024,
  diskAgeMs: 7 * 24 * 60 * 60_000,
};
/** The part of a deadline that the endpoint gets; the rest is for writing down what it did not take. */
const NETWORK_SHARE = 0.75;

const NOTHING: UsageState = {
  queued: 0,
  delivered: 0,
  dropped: 0,
  lastDelivery: undefined,
  failure: undefined,
  bufferWritable: true,
};

const OFF: Usage = {
  record() {},
  saved: () => Promise.resolve(true),
  flush: () => Promise.resolve(),
  state: () => NOTHING,
  close: () => Promise.resolve(),
};

export function createUsage(options: UsageOptions): Usage {
  const { folder, now, log, serverId } = options;
  const pace = { ...PACE, ...options.pace };
  const endpoint = options.endpoint === undefined ? undefined : endpointUrl(options.endpoint);
  if (endpoint === undefined && !options.history) return OFF;

  const ended = new AbortController();
  const health = createEndpointHealth({
    name: endpoint?.host ?? "",
    intervalMs: pace.intervalMs,
    now,
    random: options.random ?? Math.random,
    log,
  });
  const outbox =
    endpoint === undefined
      ? undefined
      : createOutbox({
          folder,
          endpoint,
          health,
          query: options.context,
          now,
          log,
          signal: ended.signal,
          commitMs: pace.commitMs,
          timeoutMs: pace.timeoutMs,
          limits: { ...LIMITS, ...options.limits },
        });
  const history = options.history ? createHistory({ folder, now, log, commitMs: pace.commitMs }) : undefined;
  const nextId = createEventIds(now, randomBytes);

  let isFlushing = false;
  let closing: Promise<void> | undefined;
  const tick = async (): Promise<void> => {
    if (isFlushing) return;
    isFlushing = true;
    await outbox?.flush(false);
    isFlushing = false;
  };
  const timer = outbox === undefined ? undefined : setInterval(() => void tick(), pace.intervalMs).unref();

  async function finish(): Promise<void> {
    await Promise.all([outbox?.flush(true), history?.commit()]);
    const left = outbox?.counts().queued ?? 0;
    if (left > 0)
      log.warn(`usage: ${left} events are lost, because neither the endpoint nor the disk took them.`);
  }

  return {
    record(type, data) {
      if (closing !== undefined) return;
      const event: UsageEvent = {
        type,
        timestamp: new Date(now()).toISOString(),
        server_id: serverId,
        event_id: nextId(),
        data: recordedFields(type, data),
      };
      outbox?.add(event);
      history?.add(event);
    },
    async saved() {
      const done = await Promise.all([outbox?.commit(), history?.commit()]);
      return !done.includes(false);
    },
    flush: async () => outbox?.flush(true),
    state: () =>
      outbox === undefined
        ? NOTHING
        : { ...outbox.counts(), lastDelivery: health.lastDelivery(), failure: health.failure() },
    close(deadlineMs) {
      closing ??= (async () => {
        clearInterval(timer);
        outbox?.stop();
        history?.stop();
        const cut = setTimeout(() => ended.abort(), deadlineMs * NETWORK_SHARE);
        let giveUp: NodeJS.Timeout | undefined;
        const deadline = new Promise<void>((resolve) => {
          giveUp = setTimeout(resolve, deadlineMs);
        });
        await Promise.race([finish(), deadline]);
        clearTimeout(cut);
        clearTimeout(giveUp);
      })();
      return closing;
    },
  };
}

/** An address that cannot be asked would keep every event for ever, so it is refused at once. */
function endpointUrl(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new Refusal(
    "The analytics endpoint is not an http or https address. Set ANALYTICS_ENDPOINT or analytics.endpoint to one.",
    { code: "bad-usage", flag: "ANALYTICS_ENDPOINT" },
  );
}
