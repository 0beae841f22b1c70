import type { RedisAddress } from "#config";
import { backoffMs, type Log } from "#util";
import type { ConnectEvent, RedisState } from "./redis.ts";
import type { RedisLink, Reply } from "./redis-client.ts";
import { createSubscriptions } from "./subscriptions.ts";
import { TimedOut, within } from "./within.ts";

export interface SendOptions {
  /** A key of the command, for a cluster. Default: the first argument after the command. */
  readonly key?: string | undefined;
  /** True: never sent twice. Otherwise a command whose connection breaks before the reply is sent again. */
  readonly once?: boolean;
}

/** Redis does not answer now. Callers continue without it. */
export class RedisAway extends Error {
  override readonly name = "RedisAway";
}

/** How long a server that stopped answering may be silent before the connection is replaced. */
const STALL_MS = 2_000;
const HEARTBEAT_MS = 2_000;
/** A connection needs several round trips. */
const LEAST_CONNECT_MS = 1_000;
const BACKOFF = { firstMs: 50, longestMs: 3_000 };

type ConnectionStatus = "opening" | "connected" | "degraded";

/**
 * The connection to Redis, replaced when it breaks. A short break is hidden: commands wait for the new connection within their
 * time-out. Once an attempt failed, or a command got no answer, the state is `degraded`: commands are rejected at once until
 * Redis answers again.
 */
export class RedisConnection {
  readonly subscriptions: ReturnType<typeof createSubscriptions>;
  readonly #address: RedisAddress;
  readonly #log: Log;
  /** The time-out for opening a connection, in milliseconds. */
  readonly #limit: number;
  readonly #listeners = new Set<(event: ConnectEvent) => void>();
  readonly #heartbeat: NodeJS.Timeout;
  #isRefusal = (_error: unknown): boolean => false;
  #link: RedisLink | undefined;
  #status: ConnectionStatus = "opening";
  #reason: string | undefined;
  #since = new Date().toISOString();
  /** Whether the loop that opens a connection runs. */
  #isOpening = false;
  /** Settles when there is a connection, or the first attempt to get one failed. */
  #attempt: Promise<void> = Promise.resolve();
  #settle = (): void => {};
  #closed = false;

  constructor(address: RedisAddress, log: Log) {
    this.#address = address;
    this.#log = log;
    this.#limit = Math.max(LEAST_CONNECT_MS, address.timeoutMs * 4);
    this.subscriptions = createSubscriptions(() => this.#link, address.timeoutMs, log);
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
  }

  /** Resolves when connected, or when the first attempt failed. */
  open(): Promise<void> {
    if (this.#status === "opening") {
      this.#attempt = new Promise((resolve) => {
        this.#settle = resolve;
      });
    }
    if (!this.#isOpening) void this.#openUntilClosed();
    return this.#attempt;
  }

  async send(args: readonly [string, ...string[]], options: SendOptions = {}): Promise<Reply> {
    const deadline = performance.now() + this.#address.timeoutMs;
    const key = options.key ?? (UNROUTED.has(args[0]) ? undefined : args[1]);
    for (;;) {
      if (this.#status === "opening")
        await within(this.#attempt, deadline - performance.now()).catch(() => {});
      const link = this.#link;
      if (this.#closed || this.#status !== "connected" || link === undefined)
        throw new RedisAway(this.#reason ?? "Redis is not connected.");
      try {
        return await within(link.send(args, key), deadline - performance.now());
      } catch (error) {
        if (this.#isRefusal(error)) throw error;
        this.#failed(link, error);
        if (error instanceof TimedOut || options.once === true || performance.now() >= deadline)
          throw new RedisAway(this.#describe(error), { cause: error });
      }
    }
  }

  state(): Omit<RedisState, "queued"> {
    const state = this.#status === "degraded" ? "degraded" : "connected";
    return { state, reason: this.#reason, since: this.#since };
  }

  onConnect(listener: (event: ConnectEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#heartbeat);
    this.#settle();
    this.#link?.destroy();
    this.#link = undefined;
  }

  #enter(status: ConnectionStatus, reason?: string): void {
    this.#status = status;
    this.#reason = reason;
    this.#since = new Date().toISOString();
  }

  #degrade(error: unknown): void {
    if (this.#status !== "degraded" && !this.#closed) {
      const reason = this.#describe(error);
      this.#enter("degraded", reason);
      this.#log.warn(`redis ${this.#address.shown} is away, continuing without it: ${reason}`);
    }
    this.#settle();
  }

  #connected(): void {
    const wasAway = this.#status === "degraded";
    this.#enter("connected");
    if (wasAway) this.#log.info(`redis ${this.#address.shown} is back`);
    this.#settle();
    for (const listener of this.#listeners) listener({ wasAway });
  }

  #failed(link: RedisLink, error: unknown): void {
    if (error instanceof TimedOut) void this.#stalled(link, error);
    else this.#lost(link, error);
  }

  /** A connection broke: another one is opened, unless that is happening. */
  #lost(link: RedisLink, error: unknown): void {
    if (this.#link !== link) return;
    this.#link = undefined;
    link.destroy();
    if (this.#closed) return;
    this.#log.debug(`redis connection lost: ${this.#describe(error)}`);
    if (this.#status === "connected") this.#enter("opening");
    void this.open();
  }

  /** Redis did not answer in time. The connection gets a moment more, because a new one would not be answered either. */
  async #stalled(link: RedisLink, error: unknown): Promise<void> {
    if (this.#link !== link || this.#status !== "connected") return;
    this.#degrade(error);
    try {
      await within(link.ping(), STALL_MS);
      if (this.#link === link) this.#connected();
    } catch (failure) {
      this.#lost(link, failure);
    }
  }

  #beat(): void {
    const link = this.#link;
    if (link === undefined || this.#status !== "connected") return;
    within(link.ping(), this.#address.timeoutMs).catch((error: unknown) => this.#failed(link, error));
  }

  async #openUntilClosed(): Promise<void> {
    this.#isOpening = true;
    // A new connection may break before its first use.
    for (let failures = 0; this.#link === undefined && !this.#closed; ) {
      try {
        await this.#openOnce();
      } catch (error) {
        failures++;
        this.#degrade(error);
        await pause(backoffMs(failures, { ...BACKOFF, random: Math.random() }));
      }
    }
    this.#isOpening = false;
  }

  async #openOnce(): Promise<void> {
    // Loaded on demand: a server without a fleet never reads it.
    const library = await import("./redis-client.ts");
    this.#isRefusal = library.isRefusal;
    let early: unknown;
    const onLost = (error: Error): void => {
      early = error;
      if (link !== undefined) this.#lost(link, error);
    };
    let link: RedisLink | undefined;
    const options = { address: this.#address, connectTimeoutMs: this.#limit, onLost };
    const connecting = library.openLink(options);
    const fresh = await within(connecting, this.#limit).catch((error: unknown) => {
      // It may still succeed, too late.
      connecting.then((late) => late.destroy()).catch(() => {});
      throw early ?? error;
    });
    try {
      await within(this.subscriptions.restore(fresh), this.#limit);
      if (this.#closed) throw new RedisAway("closed");
    } catch (error) {
      fresh.destroy();
      throw error;
    }
    link = fresh;
    this.#link = fresh;
    // Channels that were added meanwhile.
    this.subscriptions.restore(fresh).catch((error: unknown) => this.#lost(fresh, error));
    this.#connected();
  }

  /** An error without the password, which a library might repeat. */
  #describe(error: unknown): string {
    const { password } = this.#address;
    const errors = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [error];
    const text = errors
      .map((one) => (one instanceof Error ? one.message || one.name : String(one)))
      .join("; ");
    return password === undefined ? text : text.replaceAll(password, "***");
  }
}

/** Commands whose first argument is no key. */
const UNROUTED: ReadonlySet<string> = new Set("PING PUBLISH TIME INFO CLIENT ACL EVAL EVALSHA".split(" "));

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
