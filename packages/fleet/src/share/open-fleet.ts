import type { Log } from "#util";
import { type Bus, openBus } from "../bus.ts";
import { createSlots, type Slots } from "../limits/slots.ts";
import type { Redis } from "../redis.ts";
import { SessionEvents, StreamHolders } from "../session-events.ts";
import { callerKey, sessionKey } from "../session-id.ts";
import { SessionRecords } from "../session-records.ts";

/** What a server shares with the other replicas of its fleet. */
export interface Fleet {
  readonly redis: Redis;
  readonly bus: Bus;
  readonly sessions: SessionRecords;
  readonly events: SessionEvents;
  readonly holders: StreamHolders;
  /** How many sessions each caller has. */
  readonly slots: Slots;
  /** How many SSE sessions each caller has: they end with their stream, and so with their replica. */
  readonly sseSlots: Slots;
  /** How many subscriptions of protocol 2026-07-28 each caller has. */
  readonly subscriptionSlots: Slots;
  /** The name of a session in messages. */
  readonly keyOf: (sessionId: string) => string;
  readonly callerOf: (subject: string) => string;
  /** Calls back when connected anew, once the sessions can be asked for. */
  onJoin(listener: (event: { readonly wasAway: boolean }) => void): void;
  close(): void;
}

/** A killed replica frees the places of its streams after this time. */
const STREAM_TTL_MS = 60_000;

/** Joins the fleet that uses this Redis, at once or when it is back. */
export async function openFleet(redis: Redis, idleMs: number, log: Log): Promise<Fleet> {
  const bus = await openBus(redis, log);
  const sessions = new SessionRecords(redis, idleMs);
  const listeners = new Set<(event: { readonly wasAway: boolean }) => void>();
  const join = async (event: { readonly wasAway: boolean }): Promise<void> => {
    try {
      await sessions.join(event);
    } catch (error) {
      log.debug(`cannot join the fleet: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    for (const listener of listeners) listener(event);
  };
  const stop = redis.onConnect((event) => void join(event));
  await join({ wasAway: false });
  return {
    redis,
    bus,
    sessions,
    events: new SessionEvents(redis, idleMs),
    holders: new StreamHolders(redis, idleMs),
    slots: createSlots(redis, { name: "session-slots", ttlMs: Math.max(1_000, idleMs) }),
    sseSlots: createSlots(redis, { name: "session-slots", ttlMs: STREAM_TTL_MS }),
    subscriptionSlots: createSlots(redis, { name: "subscription-slots", ttlMs: STREAM_TTL_MS }),
    keyOf: sessionKey,
    callerOf: callerKey,
    onJoin: (listener) => void listeners.add(listener),
    close() {
      stop();
      bus.close();
    },
  };
}
