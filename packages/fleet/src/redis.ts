import { createHash, randomBytes } from "node:crypto";
import type { RedisAddress } from "#config";
import type { Log } from "#util";
import { RedisConnection, type SendOptions } from "./connection.ts";
import type { Reply } from "./redis-client.ts";
import { type QueuedWrites, WriteQueue } from "./write-queue.ts";

/** Redis as the replicas of a fleet share it. Nothing here waits longer than the time-out of the address. */
export interface Redis {
  /** The random name of this process in the fleet. */
  readonly replica: string;
  readonly timeoutMs: number;
  /** A name with the fleet's prefix, as every key and channel must have it. Parts in braces share a slot of a cluster. */
  key(name: string): string;
  /**
   * Sends a command and answers its reply in RESP 2. Rejects with `RedisAway` when Redis does not answer in time, and at once
   * while it is known to be away; with another error when Redis refuses the command.
   */
  send(args: readonly [string, ...string[]], options?: SendOptions): Promise<Reply>;
  /** Runs a Lua script. In a cluster all keys must share a slot. */
  evaluate(
    script: string,
    keys: readonly string[],
    args: readonly string[],
    options?: SendOptions,
  ): Promise<Reply>;
  /** Sends a write when Redis answers, in order: now, or after an outage, as far as the queue has room. Never rejects. */
  write(args: readonly [string, ...string[]], options?: SendOptions): void;
  /** Answers how many connections received a message; undefined in a cluster, where each node knows its own only. */
  publish(channel: string, message: string): Promise<number | undefined>;
  /** Calls back with every message, also after the connection was replaced. Resolves, when it does, with how to stop. */
  subscribe(channel: string, listener: (message: string) => void): Promise<() => void>;
  state(): RedisState;
  /** Calls back whenever connected anew: messages may have been missed. Returns how to stop. */
  onConnect(listener: (event: ConnectEvent) => void): () => void;
  /** Ends the connection; what is queued gets the time-out to be sent. */
  close(): Promise<void>;
}

export interface ConnectEvent {
  /** Redis was away for longer than a time-out, so that calls went without it. */
  readonly wasAway: boolean;
}

export interface RedisState {
  readonly state: "connected" | "degraded";
  /** Why it is degraded, without secrets. */
  readonly reason: string | undefined;
  /** When the state began, as ISO text. */
  readonly since: string;
  readonly queued: QueuedWrites;
}

export interface RedisOptions {
  readonly address: RedisAddress;
  readonly log: Log;
}

/** Connects, or answers after a first attempt of a second or so: a server starts without Redis too. */
export async function openRedis({ address, log }: RedisOptions): Promise<Redis> {
  const connection = new RedisConnection(address, log);
  const send: Redis["send"] = (args, options) => connection.send(args, options);
  const queue = new WriteQueue(send, log);
  connection.onConnect(() => queue.drain());
  await connection.open();
  return {
    replica: randomBytes(9).toString("base64url"),
    timeoutMs: address.timeoutMs,
    key: (name) => `${address.prefix}${name}`,
    send,
    evaluate: createScripts(send),
    write: (args, options) => queue.add(args, options),
    async publish(channel, message) {
      const receivers = Number(await send(["PUBLISH", channel, message]));
      return address.kind === "cluster" ? undefined : receivers;
    },
    subscribe: connection.subscriptions.add,
    state: () => ({ ...connection.state(), queued: queue.state() }),
    onConnect: (listener) => connection.onConnect(listener),
    async close() {
      await queue.close(address.timeoutMs);
      connection.close();
    },
  };
}

/** Runs Lua scripts by their digest, and sends the text only where Redis does not know it, as after a restart. */
function createScripts(send: Redis["send"]): Redis["evaluate"] {
  const digests = new Map<string, string>();
  return async (script, keys, args, options = {}) => {
    const digest = digests.get(script) ?? createHash("sha1").update(script).digest("hex");
    digests.set(script, digest);
    const rest = [String(keys.length), ...keys, ...args];
    const routed = { key: keys[0], ...options };
    try {
      return await send(["EVALSHA", digest, ...rest], routed);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
      return send(["EVAL", script, ...rest], routed);
    }
  };
}
