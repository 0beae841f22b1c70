import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "#util";
import { Refusal } from "#util/pure";
import { createEndpointHealth, type EndpointFailure, post } from "./deliver/endpoint.ts";
import { createOutbox, type OutboxLimits, type OutboxOptions } from "./deliver/outbox.ts";
import {
  type ClientName,
  declarationOf,
  type UsageEvent,
  type UsageEvents,
  type UsageEventType,
  type UsedBy,
} from "./events.ts";
import { createHistory } from "./history/history-files.ts";
import { readSalt } from "./record/query-text.ts";
import type { SharedLog } from "./relay/fleet-usage.ts";
import { openRelay } from "./relay/open-relay.ts";
import type { UsageSettings } from "./stats/lazy-usage.ts";

/** Records usage for the endpoint that the operator configured and for the history on this machine. */
export interface Usage {
  /** Never throws and never waits. */
  record<T extends UsageEventType>(type: T, data: UsageEvents[T], by?: UsedBy): void;
  /** Resolves true once everything recorded so far is on the disk, where it survives this process. */
  saved(): Promise<boolean>;
  /** Sends all events now, unless the endpoint answered `Retry-After`. Never rejects. */
  flush(): Promise<void>;
  state(): UsageState;
  /** Sends as many events as the deadline allows; the rest stays in the shared file. Idempotent. */
  close(deadlineMs: number): Promise<void>;
}

export interface UsageState {
  /** Events of this process that no flush has sent or put into the shared file yet. */
  readonly queued: number;
  readonly delivered: number;
  /** Events that were dropped because there were too many. */
  readonly dropped: number;
  readonly lastDelivery: string | undefined;
  readonly failure: EndpointFailure | undefined;
  readonly bufferWritable: boolean;
}

export interface UsageOptions extends UsageSettings {
  /** `~/.skills-mcp`. Created with the first event. */
  readonly folder: string;
  readonly serverId: string;
  /** The log of replicas: events go there, are counted there, and one of the replicas delivers them. */
  readonly shared?: SharedLog;
  /** The key of digests. Default: of this machine. */
  readonly salt?: () => Promise<string>;
  readonly now: () => number;
  readonly log: Log;
  readonly random?: () => number;
  readonly timing?: Partial<UsageTiming>;
  readonly limits?: Partial<OutboxLimits>;
}

interface UsageTiming {
  /** Between two flushes. */
  readonly intervalMs: number;
  /** Between two flushes to the log of replicas. */
  readonly relayMs: number;
  /** The longest time from an event to the disk. */
  readonly commitMs: number;
  readonly timeoutMs: number;
}

const TIMING: UsageTiming = { intervalMs: 30_000, relayMs: 1_000, commitMs: 100, timeoutMs: 10_000 };
/** Events have no age limit: an endpoint that is back after weeks gets all that fit. */
const LIMITS: OutboxLimits = { memoryEvents: 10_000, diskBytes: 64 * 1024 * 1024 };
/** The endpoint's share of a deadline; the rest is for writing to the disk what it did not accept. */
const NETWORK_SHARE = 0.75;

const NOTHING: UsageState = {
  queued: 0,
  delivered: 0,
  dropped: 0,
  lastDelivery: undefined,
  failure: undefined,
  bufferWritable: true,
};

export function createUsage(options: UsageOptions): Usage {
  const { folder, now, log } = options;
  const timing = { ...TIMING, ...options.timing };
  const endpoint = options.endpoint === undefined ? undefined : endpointUrl(options.endpoint);
  const ended = new AbortController();
  const outbox = openOutbox(options, endpoint, timing, ended.signal);
  const stopFlushing =
    outbox && flushEvery(options.shared === undefined ? timing.intervalMs : timing.relayMs, outbox);
  const history = options.history ? createHistory(folder, timing.commitMs, now, log) : undefined;
  const createEvent = createEventFactory(options.serverId, now);
  let closing: Promise<void> | undefined;

  async function finish(): Promise<void> {
    await Promise.all([outbox?.flush(true), history?.commit()]);
    const left = outbox?.state().queued ?? 0;
    if (left > 0)
      log.warn(`usage: ${left} events are lost: neither the endpoint nor the disk accepted them.`);
  }

  async function close(deadlineMs: number): Promise<void> {
    stopFlushing?.();
    outbox?.stop();
    history?.stop();
    const cut = setTimeout(() => ended.abort(), deadlineMs * NETWORK_SHARE);
    const finished = new AbortController();
    const deadline = sleep(deadlineMs, undefined, { signal: finished.signal }).catch(() => {});
    await Promise.race([finish(), deadline]);
    clearTimeout(cut);
    finished.abort();
  }

  return {
    record(type, data, by) {
      if (closing !== undefined) return;
      const event = createEvent(type, data, by);
      if (declarationOf(type).delivered || options.shared !== undefined) outbox?.add(event);
      history?.add(event);
    },
    async saved() {
      const done = await Promise.all([outbox?.commit(), history?.commit()]);
      return !done.includes(false);
    },
    flush: async () => outbox?.flush(true),
    state: () => outbox?.state() ?? NOTHING,
    close: (deadlineMs) => (closing ??= close(deadlineMs)),
  };
}

/** Where events go that leave this process: to the log of replicas, the endpoint or the local file; undefined: nowhere. */
function openOutbox(
  options: UsageOptions,
  url: URL | undefined,
  { intervalMs, relayMs, commitMs, timeoutMs }: UsageTiming,
  signal: AbortSignal,
) {
  const { folder, context, caller = "hash", headers = {}, now, log, random = Math.random, shared } = options;
  let salt: Promise<string> | undefined;
  const common = {
    folder,
    disclosure: { context, caller },
    salt: options.salt ?? (() => (salt ??= readSalt(folder))),
    now,
    log,
    signal,
    commitMs,
    limits: { ...LIMITS, ...options.limits },
  };
  const endpoint = url && {
    name: url.host,
    health: createEndpointHealth({ name: url.host, intervalMs, now, random, log }),
    send: (lines: readonly string[]) => post(lines, { endpoint: url, headers, timeoutMs, now }, signal),
  };
  if (shared !== undefined) return openRelay({ ...common, shared, endpoint, intervalMs: relayMs, random });
  if (endpoint === undefined) return options.localFile === true ? openLocalFile(common) : undefined;
  const outbox = createOutbox({ ...common, ...endpoint, target: endpoint.name });
  const { lastDelivery, failure } = endpoint.health;
  const state = (): UsageState => ({
    ...outbox.counts(),
    lastDelivery: lastDelivery(),
    failure: failure(),
  });
  return { ...outbox, state };
}

/** Never asks, so that events stay in the shared file. */
const NO_ENDPOINT: Pick<OutboxOptions, "target" | "health" | "send"> = {
  target: "no endpoint",
  health: { mayAsk: () => false, failed() {}, succeeded() {} },
  send: async () => ({ kind: "unavailable", reason: "there is no endpoint", retryAfterMs: undefined }),
};

/** Where events stay while nobody has named an endpoint. */
function openLocalFile(options: Omit<OutboxOptions, keyof typeof NO_ENDPOINT>) {
  const outbox = createOutbox({ ...options, ...NO_ENDPOINT });
  // A server that was killed may have left events.
  const claimed = outbox.files.claim(true).catch(() => {});
  const flush = async (skipBackoff: boolean): Promise<void> => {
    await claimed;
    await outbox.flush(skipBackoff);
  };
  void flush(true);
  options.log.info(
    `usage: events are stored in ${outbox.files.shared}, because analytics.enabled is true and there is no analytics.endpoint`,
  );
  const state = (): UsageState => ({ ...outbox.counts(), lastDelivery: undefined, failure: undefined });
  return { ...outbox, flush, state };
}

/** Flushes periodically, but not while a flush runs. Returns how to stop. */
function flushEvery(
  ms: number,
  outbox: { readonly flush: (skipBackoff: boolean) => Promise<void> },
): () => void {
  let isFlushing = false;
  const tick = async (): Promise<void> => {
    if (isFlushing) return;
    isFlushing = true;
    await outbox.flush(false);
    isFlushing = false;
  };
  const timer = setInterval(() => void tick(), ms).unref();
  return () => clearInterval(timer);
}

/** With an address that cannot be used, every event would be buffered forever, so it is refused at once. */
function endpointUrl(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new Refusal(
    "The analytics endpoint is not an http or https address. Set ANALYTICS_ENDPOINT or analytics.endpoint to one.",
    { code: "bad-usage", flag: "ANALYTICS_ENDPOINT" },
  );
}

/** Clients decide how long a context or a comment is; memory and disk must not depend on it. */
const LONGEST_TEXT = 4096;
const LONGEST_ITEM = 256;
const LONGEST_LIST = 100;
const LONGEST_NAME = 100;

/** Nearly every text matches: nothing in it has to be replaced. */
const PLAIN = /^[ -~]*$/;

function createEventFactory(serverId: string, now: () => number) {
  const nextId = createEventIds(now);
  return <T extends UsageEventType>(
    type: T,
    data: UsageEvents[T],
    { caller, client }: UsedBy = {},
  ): UsageEvent => ({
    type,
    timestamp: new Date(now()).toISOString(),
    server_id: serverId,
    event_id: nextId(),
    data: recordedFields(type, data),
    ...(client === undefined ? {} : { client: recordedClient(client) }),
    ...(caller === undefined ? {} : { caller: clip(caller.slice(0, LONGEST_ITEM)) }),
  });
}

/** Name and version as one short line each: a client calls itself what it likes. */
function recordedClient({ name, version = "" }: ClientName): ClientName {
  const [known, of] = [shortName(name) || "unknown", shortName(version)];
  return of === "" ? { name: known } : { name: known, version: of };
}

function shortName(text: string): string {
  const oneLine = PLAIN.test(text) ? text : text.replace(/\p{Cc}+/gu, " ");
  return clip(oneLine.trim().slice(0, LONGEST_NAME));
}

/**
 * All declared fields of an event, at a bounded size; what is unknown is `null` or `[]`. Anything else in `data` is left out, and a
 * list contains only strings, so an argument's value cannot slip in beside its name.
 */
export function recordedFields(type: UsageEventType, data: object): Readonly<Record<string, unknown>> {
  const given = new Map<string, unknown>(Object.entries(data));
  const recorded: Record<string, unknown> = {};
  for (const [name, { unknown }] of Object.entries(declarationOf(type).fields))
    recorded[name] = bounded(given.get(name)) ?? unknown;
  return recorded;
}

function bounded(value: unknown): unknown {
  if (typeof value === "string") return clip(value);
  if (Array.isArray(value)) {
    const texts = value.filter((item): item is string => typeof item === "string");
    return texts.slice(0, LONGEST_LIST).map((text) => clip(text).slice(0, LONGEST_ITEM));
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return typeof value === "boolean" || value === null ? value : undefined;
}

/** Not every JSON reader accepts half of a surrogate pair, which a cut or a client may leave. */
function clip(text: string): string {
  const short = text.slice(0, LONGEST_TEXT);
  return PLAIN.test(short) ? short : short.replace(/\p{Cs}/gu, "\uFFFD");
}

/**
 * Makes version 7 UUIDs (RFC 9562): the time, so that they sort by age; a counter for events of the same millisecond; and
 * random bits, so that two processes never make the same one.
 */
export function createEventIds(now: () => number): () => string {
  let last = 0;
  let counter = 0;
  return () => {
    const time = now();
    // The counter also keeps the order when the clock stops or is set back.
    counter = time > last ? 0 : counter + 1;
    last = Math.max(time, last);
    if (counter > 0xfff) {
      last++;
      counter = 0;
    }
    const hex = last.toString(16).padStart(12, "0");
    const count = counter.toString(16).padStart(3, "0");
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7${count}-${randomUUID().slice(19)}`;
  };
}
