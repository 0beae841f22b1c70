import { randomBytes } from "node:crypto";
import { monotonicMs } from "#util";
import { RedisAway } from "./connection.ts";
import type { Redis } from "./redis.ts";
import { callerKey, createSignedId, readSignedId, sessionKey } from "./session-id.ts";

/** The parameters of `initialize`: all that a replica needs to continue a session. */
export interface SessionStart {
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly clientInfo: { readonly name: string; readonly version: string };
}

/** A session as Redis has it. Fields that a newer version adds are ignored by an older one. */
interface SessionRecord {
  readonly start: SessionStart;
  /** The hash of who opened it; empty without authentication. */
  readonly caller: string;
}

/** What a replica finds out about a session that another one opened. */
export type FoundSession =
  | { readonly kind: "found"; readonly start: SessionStart; readonly subscriptions: readonly string[] }
  | { readonly kind: "unknown" };

/** Whether Redis still has a session. */
export type SessionFate = "there" | "ended" | "forgotten" | "away";

/**
 * The name of Redis' present memory, and the secret that signs ids. The replica that connects first makes both. For a while after
 * a new memory began, sessions of earlier ones are accepted by their signature.
 */
const JOIN = `
local epoch = redis.call('GET', KEYS[1])
if not epoch then
  epoch = ARGV[1]
  redis.call('SET', KEYS[1], epoch)
  redis.call('SET', KEYS[2], '1', 'PX', ARGV[2])
end
redis.call('SET', KEYS[3], ARGV[3], 'NX')
return {epoch, redis.call('GET', KEYS[3])}`;

/** Replaces the record of a session that was ended, which must not be restored from its signature. */
const ENDED = "ended";
/** After an outage, every replica has written what it queued within this time. */
const LENIENT_MS = 5_000;

/** The sessions of a fleet. They expire with the idle time, like those of a single server. */
export class SessionRecords {
  readonly #redis: Redis;
  readonly #idleMs: string;
  /** The present secret of the fleet first; ids that an earlier one signed stay valid. */
  #secrets: readonly string[] = [randomBytes(32).toString("base64url")];
  #epoch = "";
  #lenientUntil = 0;

  constructor(redis: Redis, idleMs: number) {
    this.#redis = redis;
    this.#idleMs = String(Math.max(1_000, idleMs));
  }

  /** Learns the epoch and the secret. Called whenever connected anew. */
  async join({ wasAway }: { readonly wasAway: boolean }): Promise<void> {
    // What others opened meanwhile may still be in their queues.
    if (wasAway) this.#lenientUntil = monotonicMs() + LENIENT_MS;
    const [known = ""] = this.#secrets;
    const keys = ["{fleet}:epoch", "{fleet}:grace", "{fleet}:secret"].map((name) => this.#redis.key(name));
    const fresh = randomBytes(9).toString("base64url");
    const [epoch, secret] = (await this.#redis.evaluate(JOIN, keys, [fresh, this.#idleMs, known])) as [
      string,
      string,
    ];
    this.#epoch = epoch;
    this.#secrets = [secret, ...this.#secrets.filter((other) => other !== secret)].slice(0, 4);
  }

  newId(
    { protocolVersion, clientInfo: { name, version } }: SessionStart,
    caller: string | undefined,
  ): string {
    const epoch = this.#redis.state().state === "connected" ? this.#epoch : "";
    const content = { epoch, protocolVersion, clientName: name, clientVersion: version };
    return createSignedId(content, caller, this.#secrets[0] ?? "");
  }

  /** Answers once another replica can find the session, or Redis is known to be away; it is written later then. */
  async opened(id: string, start: SessionStart, caller: string | undefined): Promise<void> {
    const record: SessionRecord = { start, caller: callerKey(caller) };
    const write = ["SET", this.#key(id), JSON.stringify(record), "PX", this.#idleMs] as const;
    await this.#redis.send(write).catch((error: unknown) => {
      if (!(error instanceof RedisAway)) throw error;
      this.#redis.write(write);
    });
    if (caller !== undefined) {
      const list = this.#callerList(caller);
      this.#redis.write(["SADD", list, sessionKey(id)]);
      this.#redis.write(["PEXPIRE", list, String(Number(this.#idleMs) * 2)]);
    }
  }

  /** A session that this caller opened on another replica. Without Redis the signature of the id must do. */
  async find(id: string, caller: string | undefined): Promise<FoundSession> {
    const content = readSignedId(id, caller, this.#secrets);
    try {
      const text = await this.#redis.send(["GET", this.#key(id)]);
      if (text === ENDED) return { kind: "unknown" };
      if (typeof text === "string") {
        const { start, caller: owner } = JSON.parse(text) as SessionRecord;
        if (owner !== callerKey(caller)) return { kind: "unknown" };
        const uris = await this.#redis.send(["SMEMBERS", this.#subscriptionsKey(id)]);
        return { kind: "found", start, subscriptions: uris as readonly string[] };
      }
      // It expired or was ended, unless Redis lost its memory since.
      if (content === undefined || !(await this.#isForgotten(content.epoch))) return { kind: "unknown" };
    } catch (error) {
      if (!(error instanceof RedisAway)) throw error;
      if (content === undefined) return { kind: "unknown" };
    }
    const { protocolVersion, clientName: name, clientVersion: version } = content;
    const start: SessionStart = { protocolVersion, capabilities: {}, clientInfo: { name, version } };
    await this.opened(id, start, caller);
    return { kind: "found", start, subscriptions: [] };
  }

  /** Restarts the idle time of a session. */
  touch(id: string): void {
    this.#redis.write(["PEXPIRE", this.#key(id), this.#idleMs]);
    this.#redis.write(["PEXPIRE", this.#subscriptionsKey(id), this.#idleMs]);
  }

  /** Finds out whether a session still exists, after messages may have been missed. Restarts its idle time if so. */
  async check(id: string, caller: string | undefined): Promise<SessionFate> {
    try {
      const text = await this.#redis.send(["GETEX", this.#key(id), "PX", this.#idleMs]);
      if (text !== null) return text === ENDED ? "ended" : "there";
      const content = readSignedId(id, caller, this.#secrets);
      return content !== undefined && (await this.#isForgotten(content.epoch)) ? "forgotten" : "ended";
    } catch (error) {
      if (!(error instanceof RedisAway)) throw error;
      return "away";
    }
  }

  ended(id: string, caller: string | undefined): void {
    this.#redis.write(["SET", this.#key(id), ENDED, "PX", this.#idleMs]);
    this.#redis.write(["DEL", this.#subscriptionsKey(id)]);
    if (caller !== undefined) this.#redis.write(["SREM", this.#callerList(caller), sessionKey(id)]);
  }

  /** Ends all sessions of a caller. */
  async endOf(caller: string): Promise<void> {
    const list = this.#callerList(caller);
    const keys = (await this.#redis.send(["SMEMBERS", list])) as readonly string[];
    for (const key of keys)
      this.#redis.write(["SET", this.#redis.key(`session:${key}`), ENDED, "PX", this.#idleMs]);
    this.#redis.write(["DEL", list]);
  }

  subscribed(id: string, uri: string, isOn: boolean): void {
    const key = this.#subscriptionsKey(id);
    this.#redis.write([isOn ? "SADD" : "SREM", key, uri]);
    if (isOn) this.#redis.write(["PEXPIRE", key, this.#idleMs]);
  }

  /** Whether Redis may lack a session of this epoch although it goes on. */
  async #isForgotten(epoch: string): Promise<boolean> {
    if (epoch === "" || monotonicMs() < this.#lenientUntil) return true;
    if (epoch === this.#epoch) return false;
    return (await this.#redis.send(["EXISTS", this.#redis.key("{fleet}:grace")])) === 1;
  }

  #key(id: string): string {
    return this.#redis.key(`session:${sessionKey(id)}`);
  }

  #subscriptionsKey(id: string): string {
    return this.#redis.key(`subscriptions:${sessionKey(id)}`);
  }

  #callerList(caller: string): string {
    return this.#redis.key(`sessions-of:${callerKey(caller)}`);
  }
}
