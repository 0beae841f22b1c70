import { randomBytes } from "node:crypto";

interface StoredEvent {
  readonly sequence: number;
  readonly streamId: string;
  /** A message as JSON. */
  readonly text: string;
}

/** Where a client was when its stream broke. */
export interface EventPosition {
  /** Whose stream it is; empty on a server that is the only one. */
  readonly replica: string;
  readonly streamId: string;
  readonly sequence: number;
}

/** What makes event ids of a session differ from those of others. */
interface EventNames {
  /** Of the session. */
  readonly mark: string;
  readonly replica: string;
}

const LIMITS = { events: 100, characters: 128 * 1024 };

/**
 * The last events of one session, for clients that resume a broken stream. Event ids contain a mark of the session, random
 * where it is the only one that knows the session, because the listening stream has the same name in every session.
 */
export function createEventStore(limits = LIMITS, names?: EventNames) {
  const { mark: session, replica } = names ?? { mark: randomBytes(9).toString("base64url"), replica: "" };
  const events: StoredEvent[] = [];
  let characters = 0;
  let last = 0;
  const idOf = (streamId: string, sequence: number): string =>
    `${session}.${sequence}.${replica === "" ? "" : `${replica}~`}${streamId}`;

  /** The position that an event id names; undefined if it does not belong to this session. */
  function positionOf(eventId: string): EventPosition | undefined {
    const [, mark, digits, name] = /^([^.]*)\.(\d{1,15})\.(.+)$/.exec(eventId) ?? [];
    if (mark !== session || name === undefined) return undefined;
    const [owner, streamId] = replica === "" ? ["", name] : name.split("~", 2);
    return streamId === undefined || owner === undefined
      ? undefined
      : { replica: owner, streamId, sequence: Number(digits) };
  }

  return {
    positionOf,
    /** An id to resume from before there is an event. */
    mark: (streamId: string): string => idOf(streamId, ++last),
    /** Returns the id of the event. */
    add(streamId: string, text: string): string {
      const sequence = ++last;
      if (text.length <= limits.characters) {
        events.push({ sequence, streamId, text });
        characters += text.length;
        while (events.length > limits.events || characters > limits.characters)
          characters -= events.shift()?.text.length ?? 0;
      }
      return idOf(streamId, sequence);
    },
    /** The id of an event that says that a stream is complete. */
    end: (streamId: string): string => idOf(streamId, ++last),
    /** The events of a stream of this replica after a position; undefined if that is not of this session or replica. */
    after(eventId: string) {
      const position = positionOf(eventId);
      if (position === undefined || position.replica !== replica) return undefined;
      return { streamId: position.streamId, events: this.since(position) };
    },
    since({ streamId: wanted, sequence: from }: Pick<EventPosition, "streamId" | "sequence">) {
      return events
        .filter(({ streamId, sequence }) => streamId === wanted && sequence > from)
        .map(({ sequence, text }) => ({ id: idOf(wanted, sequence), text }));
    },
  };
}
