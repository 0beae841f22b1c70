import { randomBytes } from "node:crypto";

interface StoredEvent {
  readonly sequence: number;
  readonly streamId: string;
  /** A message as JSON. */
  readonly text: string;
}

const LIMITS = { events: 100, characters: 128 * 1024 };

/**
 * The last events of one session, for clients that resume a broken stream. Event ids contain a random mark of the session,
 * because the listening stream has the same name in every session.
 */
export function createEventStore(limits = LIMITS) {
  const session = randomBytes(9).toString("base64url");
  const events: StoredEvent[] = [];
  let characters = 0;
  let last = 0;
  const idOf = (streamId: string, sequence: number): string => `${session}.${sequence}.${streamId}`;
  return {
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
    /** The events of a stream after a given one; undefined if that one does not belong to this session. */
    after(eventId: string) {
      const [, mark, digits, wanted] = /^([^.]*)\.(\d{1,15})\.(.+)$/.exec(eventId) ?? [];
      if (mark !== session || wanted === undefined) return undefined;
      const missed = events.filter(
        ({ streamId, sequence }) => streamId === wanted && sequence > Number(digits),
      );
      return {
        streamId: wanted,
        events: missed.map(({ sequence, text }) => ({ id: idOf(wanted, sequence), text })),
      };
    },
  };
}
