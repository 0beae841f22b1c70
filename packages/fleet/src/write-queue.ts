import type { Log } from "#util";
import { RedisAway, type SendOptions } from "./connection.ts";

type Args = readonly [string, ...string[]];

export interface QueuedWrites {
  readonly writes: number;
  /** Writes that found no room, since the start. */
  readonly dropped: number;
}

interface Write {
  readonly args: Args;
  readonly options: SendOptions | undefined;
  readonly size: number;
}

const MOST_WRITES = 10_000;
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** How many writes wait for their reply at the same time. */
const PIPELINE = 64;

/**
 * Writes for Redis whose replies no caller waits for. They are sent in order, several at a time, and stay in the queue until Redis
 * answered; in an outage they wait, and the oldest are dropped where there are too many.
 */
export class WriteQueue {
  readonly #send: (args: Args, options?: SendOptions) => Promise<unknown>;
  readonly #log: Log;
  readonly #queue: Write[] = [];
  #characters = 0;
  #dropped = 0;
  #warned = false;
  #running: Promise<void> | undefined;

  constructor(send: (args: Args, options?: SendOptions) => Promise<unknown>, log: Log) {
    this.#send = send;
    this.#log = log;
  }

  add(args: Args, options?: SendOptions): void {
    const size = args.reduce((sum, arg) => sum + arg.length, 0);
    this.#queue.push({ args, options, size });
    this.#characters += size;
    while (
      this.#queue.length > MOST_WRITES ||
      (this.#characters > MOST_CHARACTERS && this.#queue.length > 1)
    ) {
      this.#leave(1);
      this.#dropped++;
      if (!this.#warned) this.#log.warn("redis is away for too long: the oldest queued writes are dropped");
      this.#warned = true;
    }
    this.drain();
  }

  /** Begins to send. */
  drain(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  state(): QueuedWrites {
    return { writes: this.#queue.length, dropped: this.#dropped };
  }

  /** Sends what is queued if Redis answers. */
  async close(deadlineMs: number): Promise<void> {
    this.drain();
    const deadline = new Promise<void>((resolve) => {
      setTimeout(resolve, deadlineMs).unref();
    });
    await Promise.race([this.#running, deadline]);
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, PIPELINE);
      const results = await Promise.allSettled(batch.map(({ args, options }) => this.#send(args, options)));
      const failed = results.findIndex(isAway);
      const done = failed < 0 ? batch.length : failed;
      for (const [index, result] of results.slice(0, done).entries())
        if (result.status === "rejected")
          this.#log.debug(`redis refused ${batch[index]?.args[0]}: ${String(result.reason)}`);
      // The first ones may have been dropped meanwhile.
      const gone = batch.findIndex((write) => write === this.#queue[0]);
      if (gone >= 0 && done > gone) this.#leave(done - gone);
      if (failed >= 0) return;
      this.#warned = false;
    }
  }

  #leave(count: number): void {
    for (const { size } of this.#queue.splice(0, count)) this.#characters -= size;
  }
}

function isAway(result: PromiseSettledResult<unknown>): boolean {
  return result.status === "rejected" && result.reason instanceof RedisAway;
}
