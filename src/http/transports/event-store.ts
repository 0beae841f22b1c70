import { randomBytes } from "node:crypto";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";

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

/** What one session was sent last, so that a client whose stream broke can ask for what it missed. */
export interface EventStore {
  /** An id to resume from, although there is nothing to replay at it. */
  mark(streamId: string): string;
  /** Returns the id of the event. */
  add(streamId: string, message: JSONRPCMessage): string;
  /** What a stream was sent after an event; undefined when the event is not one of this session. */
  after(eventId: string): Replay | undefined;
}

interface Replay {
  readonly streamId: string;
  readonly events: readonly { readonly id: string; readonly message: JSONRPCMessage }[];
}

const LIMITS: EventStoreLimits = { events: 100, bytes: 128 * 1024 };

/** Ids carry a random mark of their session: every session has a listening stream of the same name. */
export function createEventStore(limits: EventStoreLimits = LIMITS): EventStore {
  const session = randomBytes(9).toString("base64url");
  const events: StoredEvent[] = [];
  let bytes = 0;
  let last = 0;
  const idOf = (streamId: string, sequence: number): string => `${session}.${sequence}.${streamId}`;
  return {
    mark: (streamId) => idOf(streamId, ++last),
    add(streamId, message) {
      const sequence = ++last;
      const size = roughSize(message);
      if (size <= limits.bytes) {
        events.push({ sequence, streamId, message, size });
        bytes += size;
        while (events.length > limits.events || bytes > limits.bytes) bytes -= events.shift()?.size ?? 0;
      }
      return idOf(streamId, sequence);
    },
    after(eventId) {
      const [, mark, digits, wanted] = /^([^.]*)\.(\d{1,15})\.(.+)$/.exec(eventId) ?? [];
      if (mark !== session || wanted === undefined) return undefined;
      const missed = events.filter(
        ({ streamId, sequence }) => streamId === wanted && sequence > Number(digits),
      );
      return {
        streamId: wanted,
        events: missed.map(({ sequence, message }) => ({ id: idOf(wanted, sequence), message })),
      };
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
