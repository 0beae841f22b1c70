import { randomUUID } from "node:crypto";
import {
  type ClientName,
  declarationOf,
  type UsageEvent,
  type UsageEvents,
  type UsageEventType,
  type UsedBy,
} from "../events.ts";

/** Clients decide how long a context or a comment is; memory and disk must not depend on it. */
const LONGEST_TEXT = 4096;
const LONGEST_ITEM = 256;
const LONGEST_LIST = 100;
const LONGEST_NAME = 100;

/** Nearly every text matches: nothing in it has to be replaced. */
const PLAIN = /^[ -~]*$/;

export function createEventFactory(serverId: string, now: () => number) {
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
 * The declared fields of an event, at a bounded size. Anything else in `data` is left out, and a list contains only strings, so
 * an argument's value cannot slip in beside its name.
 */
export function recordedFields(type: UsageEventType, data: object): Readonly<Record<string, unknown>> {
  const given = new Map<string, unknown>(Object.entries(data));
  const recorded: Record<string, unknown> = {};
  for (const field of Object.keys(declarationOf(type).fields)) {
    const value = bounded(given.get(field));
    if (value !== undefined) recorded[field] = value;
  }
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
