import type { Redis } from "./redis.ts";
import { sessionKey } from "./session-id.ts";

/** An event of a stream that moved from one replica to another. */
export interface SharedEvent {
  /** The replica's stream that it belongs to. */
  readonly stream: string;
  /** The id that the client resumes from. */
  readonly id: string;
  /** A message as JSON; undefined: the stream is complete. */
  readonly text: string | undefined;
}

const MOST_EVENTS = 100;

/** The events of a session that another replica is to deliver, the last ones of each session only. */
export class SessionEvents {
  readonly #redis: Redis;
  readonly #idleMs: string;

  constructor(redis: Redis, idleMs: number) {
    this.#redis = redis;
    this.#idleMs = String(Math.max(1_000, idleMs));
  }

  /** Resolves when they can be read; false when Redis is away. */
  async add(sessionId: string, events: readonly SharedEvent[]): Promise<boolean> {
    const key = this.#key(sessionId);
    try {
      for (const { stream, id, text } of events) {
        const fields = ["stream", stream, "id", id, ...(text === undefined ? [] : ["text", text])];
        await this.#redis.send(["XADD", key, "MAXLEN", String(MOST_EVENTS), "*", ...fields]);
      }
      if (events.length > 0) await this.#redis.send(["PEXPIRE", key, this.#idleMs]);
      return true;
    } catch {
      return false;
    }
  }

  /** The events of one stream, oldest first. */
  async read(sessionId: string, stream: string): Promise<readonly SharedEvent[]> {
    const entries = (await this.#redis.send(["XRANGE", this.#key(sessionId), "-", "+"])) as readonly [
      string,
      readonly string[],
    ][];
    return entries
      .map(([, fields]) => new Map(pairsOf(fields)))
      .filter((fields) => fields.get("stream") === stream)
      .map((fields) => ({ stream, id: fields.get("id") ?? "", text: fields.get("text") }));
  }

  #key(sessionId: string): string {
    return this.#redis.key(`events:${sessionKey(sessionId)}`);
  }
}

function pairsOf(fields: readonly string[]): readonly (readonly [string, string])[] {
  return fields.flatMap((name, index) => (index % 2 === 0 ? [[name, fields[index + 1] ?? ""] as const] : []));
}

/** Remembers which replica has, or had last, the stream for the notifications of a session. */
export class StreamHolders {
  readonly #redis: Redis;
  readonly #idleMs: string;

  constructor(redis: Redis, idleMs: number) {
    this.#redis = redis;
    this.#idleMs = String(Math.max(1_000, idleMs));
  }

  /** Undefined: the session never had one. `unknown`: Redis is away. */
  async holderOf(sessionId: string): Promise<string | undefined> {
    try {
      const replica = await this.#redis.send(["GET", this.#key(sessionId)]);
      return typeof replica === "string" ? replica : undefined;
    } catch {
      return "unknown";
    }
  }

  hold(sessionId: string): void {
    this.#redis.write(["SET", this.#key(sessionId), this.#redis.replica, "PX", this.#idleMs]);
  }

  #key(sessionId: string): string {
    return this.#redis.key(`listening:${sessionKey(sessionId)}`);
  }
}
