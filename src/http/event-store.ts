import { randomBytes } from "node:crypto";
import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

interface StoredEvent {
  readonly sequence: number;
  readonly streamId: string;
  /** As text: smaller than the message, and it cannot change any more. */
  readonly text: string;
}

export interface EventStoreLimits {
  readonly events: number;
  readonly bytes: number;
}

const LIMITS: EventStoreLimits = { events: 100, bytes: 128 * 1024 };

/**
 * What one session was sent last, so that a client whose stream broke can ask for what it missed. Every session has a
 * store of its own and marks its ids, because the SDK gives the listening stream of every session the same name: an id
 * from another session means nothing here.
 */
export function createEventStore(limits: EventStoreLimits = LIMITS): EventStore {
  const mark = randomBytes(9).toString("base64url");
  let events: StoredEvent[] = [];
  let bytes = 0;
  let last = 0;

  const read = (id: string): { streamId: string; sequence: number } | undefined => {
    const [, idMark, sequence, streamId] = /^([^.]*)\.(\d{1,15})\.(.+)$/.exec(id) ?? [];
    if (idMark !== mark || sequence === undefined || streamId === undefined) return undefined;
    return { streamId, sequence: Number(sequence) };
  };

  return {
    storeEvent(streamId, message) {
      const sequence = ++last;
      const id = `${mark}.${sequence}.${streamId}`;
      // An empty message only gives the client an id to come back with.
      const isMarker = Object.keys(message).length === 0;
      const text = isMarker ? "" : JSON.stringify(message);
      if (!isMarker && text.length <= limits.bytes) {
        events.push({ sequence, streamId, text });
        bytes += text.length;
        let surplus = 0;
        while (events.length - surplus > limits.events || bytes > limits.bytes) {
          bytes -= events[surplus]?.text.length ?? 0;
          surplus++;
        }
        if (surplus > 0) events = events.slice(surplus);
      }
      return Promise.resolve(id);
    },
    getStreamIdForEventId: (id) => Promise.resolve(read(id)?.streamId),
    async replayEventsAfter(lastEventId, { send }) {
      const from = read(lastEventId);
      if (from === undefined) throw new Error("The event id is not one of this session.");
      for (const { sequence, streamId, text } of events) {
        if (streamId !== from.streamId || sequence <= from.sequence) continue;
        await send(`${mark}.${sequence}.${streamId}`, JSON.parse(text) as JSONRPCMessage);
      }
      return from.streamId;
    },
  };
}
