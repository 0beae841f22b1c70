import type { Redis } from "./redis.ts";
import { sessionKey } from "./session-id.ts";

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
