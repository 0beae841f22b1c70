import { randomBytes } from "node:crypto";
import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

interface StoredEvent {
  readonly sequence: number;
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly size: number;
}

export interface EventStoreLimits {
  readonly events: number;
  readonly bytes: number;
}

/**
 * The events of one session. It has no `getStreamIdForEventId`, because with it the SDK refuses a client that comes back
 * before the server notices that the old connection broke; without it, the new connection takes over.
 */
export interface SessionEvents extends EventStore {
  /** Whether an event id is one of this session. */
  knows(eventId: string): boolean;
}

const LIMITS: EventStoreLimits = { events: 100, bytes: 128 * 1024 };

/**
 * What one session was sent last, so that a client whose stream broke can ask for what it missed. Every session has a
 * store of its own and marks its ids, because the SDK gives the listening stream of every session the same name: an id
 * from another session means nothing here.
 */
export function createEventStore(limits: EventStoreLimits = LIMITS): SessionEvents {
  const mark = randomBytes(9).toString("base64url");
  const events: StoredEvent[] = [];
  let bytes = 0;
  let last = 0;

  const parse = (id: string): { streamId: string; sequence: number } | undefined => {
    const [, idMark, sequence, streamId] = /^([^.]*)\.(\d{1,15})\.(.+)$/.exec(id) ?? [];
    if (idMark !== mark || sequence === undefined || streamId === undefined) return undefined;
    return { streamId, sequence: Number(sequence) };
  };

  return {
    storeEvent(streamId, message) {
      const sequence = ++last;
      // An empty message only gives the client an id to come back with.
      const isMarker = Object.keys(message).length === 0;
      const size = isMarker ? 0 : roughSize(message);
      if (!isMarker && size <= limits.bytes) {
        events.push({ sequence, streamId, message, size });
        bytes += size;
        while (events.length > limits.events || bytes > limits.bytes) bytes -= events.shift()?.size ?? 0;
      }
      return Promise.resolve(`${mark}.${sequence}.${streamId}`);
    },
    knows: (id) => parse(id) !== undefined,
    async replayEventsAfter(lastEventId, { send }) {
      const from = parse(lastEventId);
      if (from === undefined) throw new Error("The event id is not one of this session.");
      for (const { sequence, streamId, message } of [...events]) {
        if (streamId !== from.streamId || sequence <= from.sequence) continue;
        await send(`${mark}.${sequence}.${streamId}`, message);
      }
      return from.streamId;
    },
  };
}

/** About as long as its JSON, without the cost of writing it. */
export function roughSize(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + roughSize(item) + 1, 2);
  return Object.entries(value).reduce((sum, [key, inner]) => sum + key.length + roughSize(inner) + 4, 2);
}
