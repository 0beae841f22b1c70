import type { Log } from "#util";
import type { RedisLink } from "./redis-client.ts";
import { within } from "./within.ts";

type Listener = (message: string) => void;

/** The listeners of each channel. A new connection subscribes to all channels before it is used. */
export function createSubscriptions(current: () => RedisLink | undefined, timeoutMs: number, log: Log) {
  const channels = new Map<string, Set<Listener>>();

  const receiver = (channel: string) => (message: string) => {
    for (const listener of channels.get(channel) ?? []) {
      try {
        listener(message);
      } catch (error) {
        log.error(`a message of the fleet failed: ${error instanceof Error ? error.stack : String(error)}`);
      }
    }
  };
  /** The channels of a connection. One that cannot subscribe is broken, and the next one restores all of them. */
  const subscribed = new WeakMap<RedisLink, Set<string>>();
  const subscribe = async (link: RedisLink, channel: string): Promise<void> => {
    const known = subscribed.get(link) ?? new Set();
    subscribed.set(link, known);
    if (known.has(channel)) return;
    known.add(channel);
    await link.subscribe(channel, receiver(channel));
  };

  return {
    /** Resolves when messages arrive, or when there is no connection to subscribe with. */
    async add(channel: string, listener: Listener): Promise<() => void> {
      const listeners = channels.get(channel) ?? new Set();
      listeners.add(listener);
      channels.set(channel, listeners);
      const link = current();
      if (link !== undefined) await within(subscribe(link, channel), timeoutMs).catch(() => {});
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return;
        channels.delete(channel);
        const open = current();
        if (open === undefined) return;
        subscribed.get(open)?.delete(channel);
        open.unsubscribe(channel).catch(() => {});
      };
    },
    /** Subscribes a new connection to every channel. */
    async restore(link: RedisLink): Promise<void> {
      await Promise.all([...channels.keys()].map((channel) => subscribe(link, channel)));
    },
  };
}
