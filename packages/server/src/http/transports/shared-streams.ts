import type { ServerResponse } from "node:http";
import type { Fleet } from "#fleet";
import { announce } from "../../mcp/server/announce-changes.ts";
import { field, textField } from "../auth/principal.ts";
import type { EventPosition } from "./event-store.ts";
import type { ForeignStream } from "./sharing.ts";
import { LISTENING, type StreamableSession } from "./streamable-transport.ts";

interface StreamEvent {
  readonly id: string;
  /** Absent: the stream is complete. */
  readonly text?: string;
}

/** A stream of another replica that is continued here. */
interface Continued {
  readonly sessionKey: string;
  /** Sends what is new. */
  update(): void;
}

/** Streams that move from one replica to another. */
export class SharedStreams {
  readonly #fleet: Fleet;
  readonly #continued = new Set<Continued>();

  constructor(fleet: Fleet, sessionOf: (key: string) => StreamableSession | undefined) {
    this.#fleet = fleet;
    const { bus } = fleet;
    bus.on("listening", (data) => sessionOf(textField(data, "session"))?.transport.isListening() === true);
    bus.on("hand-over", async (data) => {
      const session = sessionOf(textField(data, "session"));
      if (session === undefined) return false;
      const streamId = textField(data, "stream");
      const missed = session.transport.handOver({ streamId, sequence: Number(field(data, "sequence")) });
      return this.#add(session.id, streamId, missed);
    });
    bus.on("events", (data) => {
      const key = textField(data, "session");
      for (const stream of this.#continued) if (stream.sessionKey === key) stream.update();
    });
  }

  /**
   * Opens a session's stream for notifications; false when it is open here or elsewhere. A client that had one before is told
   * that everything may have changed: nobody knows what it missed.
   */
  async listen(session: StreamableSession, response: ServerResponse): Promise<boolean> {
    const { bus, holders, keyOf } = this.#fleet;
    const before = await holders.holderOf(session.id);
    if (before !== undefined && before !== bus.replica && before !== "unknown") {
      const answer = await bus.ask(before, "listening", { session: keyOf(session.id) });
      if (answer.kind === "answer" && answer.value === true) return false;
    }
    if (!session.transport.listen(response)) return false;
    holders.hold(session.id);
    if (before !== undefined) announce(session.mcp.server);
    return true;
  }

  /** Continues a stream that another replica began; false when nothing is known of it. */
  async resume(
    session: StreamableSession,
    response: ServerResponse,
    position: EventPosition,
  ): Promise<boolean> {
    const { bus, keyOf, holders } = this.#fleet;
    const { replica, streamId, sequence } = position;
    const isListening = streamId === LISTENING;
    // Before the other replica gives it up, so that no notice falls between the two.
    if (isListening && !session.transport.listen(response)) return false;
    const question = { session: keyOf(session.id), stream: streamId, sequence };
    const answer = await bus.ask(replica, "hand-over", question);
    const isHandedOver = answer.kind === "answer" && answer.value === true;
    const missed = await this.#read(session.id, position);
    if (isListening) {
      holders.hold(session.id);
      for (const { id, text } of missed) if (text !== undefined) session.transport.deliver(text, id);
      if (!isHandedOver) announce(session.mcp.server);
      return true;
    }
    if ((missed.length === 0 && !isHandedOver) || response.destroyed) return false;
    this.#continue(session, response, position);
    return true;
  }

  /** Hands events of a stream to the replica that delivers them. */
  async forward(sessionId: string, streamId: string, events: readonly StreamEvent[]): Promise<void> {
    if (!(await this.#add(sessionId, streamId, events))) return;
    await this.#fleet.bus.tell("events", { session: this.#fleet.keyOf(sessionId) });
  }

  #add(sessionId: string, streamId: string, events: readonly StreamEvent[]): Promise<boolean> {
    const stream = streamName(this.#fleet.bus.replica, streamId);
    return this.#fleet.events.add(
      sessionId,
      events.map(({ id, text }) => ({ stream, id, text })),
    );
  }

  /** The events after a position, oldest first; none while Redis is away. */
  async #read(sessionId: string, { replica, streamId, sequence }: EventPosition) {
    const events = await this.#fleet.events.read(sessionId, streamName(replica, streamId)).catch(() => []);
    return events.filter(({ id }) => sequenceOf(id) > sequence);
  }

  #continue(session: StreamableSession, response: ServerResponse, position: EventPosition): void {
    const open = session.transport.continueForeign(response, position);
    let { sequence } = position;
    let reading = Promise.resolve();
    const read = async (): Promise<void> => {
      for (const event of await this.#read(session.id, { ...position, sequence })) {
        sequence = sequenceOf(event.id);
        deliver(open, event);
      }
    };
    const entry: Continued = {
      sessionKey: this.#fleet.keyOf(session.id),
      update() {
        // One reading at a time, so that the order stays.
        reading = reading.then(read).catch(() => {});
      },
    };
    this.#continued.add(entry);
    response.once("close", () => this.#continued.delete(entry));
    entry.update();
  }
}

function deliver(
  open: ForeignStream,
  { id, text }: { readonly id: string; readonly text: string | undefined },
): void {
  if (text === undefined) open.end();
  else open.message(text, id);
}

function streamName(replica: string, streamId: string): string {
  return `${replica}~${streamId}`;
}

function sequenceOf(eventId: string): number {
  return Number(/^[^.]*\.(\d+)\./.exec(eventId)?.[1] ?? 0);
}
