import {
  createClient,
  createCluster,
  createSentinel,
  ErrorReply,
  type RedisArgument,
  type RespVersions,
} from "@redis/client";
import type { RedisAddress } from "#config";
import { defined } from "#util/pure";

/** A reply as RESP 2 has it, which every version of Redis and Valkey speaks. */
export type Reply = string | number | null | readonly Reply[];

/** One set of connections. When a part of it breaks, all of it is replaced. */
export interface RedisLink {
  /** `key`: one that the command uses, by which a cluster chooses the node. */
  send(args: readonly string[], key: string | undefined): Promise<Reply>;
  subscribe(channel: string, listener: (message: string) => void): Promise<void>;
  unsubscribe(channel: string): Promise<void>;
  /** Resolves when commands and messages both work. */
  ping(): Promise<void>;
  /** Ends everything; what waits for a reply is rejected. */
  destroy(): void;
}

export interface LinkOptions {
  readonly address: RedisAddress;
  readonly connectTimeoutMs: number;
  /** Called when a connection breaks, perhaps several times. */
  readonly onLost: (error: Error) => void;
}

/** Errors of a server that answers, but cannot serve now or is no longer the primary. */
const NOT_NOW = /^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS)\b/;

/** Whether Redis itself refused a command, so that sending it again, or elsewhere, is of no use. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ErrorReply && !NOT_NOW.test(error.message);
}

const RESP: RespVersions = 2;

/** Connects, or throws. Nothing reconnects by itself: the connection above knows when to try again. */
export async function openLink(options: LinkOptions): Promise<RedisLink> {
  const { kind } = options.address;
  const link =
    kind === "single"
      ? singleLink(options)
      : kind === "cluster"
        ? clusterLink(options)
        : sentinelLink(options);
  try {
    await link.connect();
  } catch (error) {
    link.destroy();
    throw error;
  }
  return link;
}

type UnopenedLink = RedisLink & { connect(): Promise<unknown> };

function credentialsOf({ username, password }: RedisAddress) {
  return defined({ username, password });
}

function socketOf({ tls }: RedisAddress, connectTimeout: number) {
  const common = { connectTimeout, reconnectStrategy: false } as const;
  return tls ? ({ ...common, tls: true } as const) : common;
}

/** One connection for commands, and one for messages: with RESP 2 a connection that subscribed can do nothing else. */
function singleLink({ address, connectTimeoutMs, onLost }: LinkOptions): UnopenedLink {
  const [node] = address.nodes;
  const create = () =>
    createClient({
      ...credentialsOf(address),
      RESP,
      database: address.database,
      disableOfflineQueue: true,
      socket: { ...socketOf(address, connectTimeoutMs), ...node },
    }).on("error", onLost);
  const commands = create();
  const messages = create();
  return {
    connect: () => Promise.all([commands.connect(), messages.connect()]),
    send: (args) => commands.sendCommand<Reply>(args),
    subscribe: (channel, listener) => messages.subscribe(channel, listener),
    unsubscribe: (channel) => messages.unsubscribe(channel),
    ping: async () => void (await Promise.all([commands.ping(), messages.ping()])),
    destroy() {
      for (const client of [commands, messages]) if (client.isOpen) client.destroy();
    },
  };
}

function clusterLink({ address, connectTimeoutMs, onLost }: LinkOptions): UnopenedLink {
  const socket = socketOf(address, connectTimeoutMs);
  const defaults = { ...credentialsOf(address), socket };
  const cluster = createCluster({
    RESP,
    rootNodes: address.nodes.map((node) => ({ ...defaults, socket: { ...socket, ...node } })),
    defaults,
  }).on("error", onLost);
  return {
    connect: () => cluster.connect(),
    send: (args, key) => cluster.sendCommand<Reply>(key, false, asArguments(args)),
    subscribe: (channel, listener) => cluster.subscribe(channel, listener),
    unsubscribe: (channel) => cluster.unsubscribe(channel),
    ping: async () => void (await cluster.sendCommand(undefined, false, ["PING"])),
    destroy() {
      if (cluster.isOpen) cluster.destroy();
    },
  };
}

function sentinelLink({ address, connectTimeoutMs, onLost }: LinkOptions): UnopenedLink {
  const socket = socketOf(address, connectTimeoutMs);
  const sentinel = createSentinel({
    RESP,
    name: address.primary ?? "",
    sentinelRootNodes: [...address.nodes],
    nodeClientOptions: { ...credentialsOf(address), socket },
    sentinelClientOptions: { socket },
    passthroughClientErrorEvents: true,
  });
  sentinel.on("error", onLost);
  sentinel.on("client-error", ({ error }: { readonly error: Error }) => onLost(error));
  return {
    connect: () => sentinel.connect(),
    send: (args) => sentinel.sendCommand<Reply>(false, asArguments(args)),
    async subscribe(channel, listener) {
      await sentinel.subscribe(channel, listener);
    },
    async unsubscribe(channel) {
      await sentinel.unsubscribe(channel);
    },
    ping: async () => void (await sentinel.sendCommand(false, ["PING"])),
    destroy() {
      sentinel.destroy().catch(() => {});
    },
  };
}

function asArguments(args: readonly string[]): RedisArgument[] {
  return [...args];
}
