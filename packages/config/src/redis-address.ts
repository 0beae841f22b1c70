/** Where Redis is, and how this fleet uses it. */
export interface RedisAddress {
  readonly kind: "single" | "sentinel" | "cluster";
  readonly nodes: readonly RedisNode[];
  /** The name under which sentinels know the primary. */
  readonly primary: string | undefined;
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
  /** Begins every key and channel, so that several fleets can share a Redis. */
  readonly prefix: string;
  /** How long a call waits for Redis at most. */
  readonly timeoutMs: number;
  /** The address for people: without user, password and options. */
  readonly shown: string;
}

interface RedisNode {
  readonly host: string;
  readonly port: number;
}

type Kind = RedisAddress["kind"];

/** What an address must be, as the end of a sentence. */
export const REDIS_ADDRESS =
  "an address such as redis://user:password@host:6379, rediss://host, redis+sentinel://host1,host2/name or redis+cluster://host1,host2";

const DEFAULT_PREFIX = "skills-mcp:";
const DEFAULT_TIMEOUT_MS = 250;
const LONGEST_TIMEOUT_MS = 60_000;
const PORTS: Readonly<Record<Kind, number>> = { single: 6379, sentinel: 26_379, cluster: 6379 };

const SHAPE =
  /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/i;
const NODE = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/i;

/** Reads an address, or returns what is wrong with it. That text never repeats the address, which may contain a password. */
export function parseRedisAddress(text: string): RedisAddress | string {
  const [, scheme = "", ending, user, hosts = "", path = "", query] = SHAPE.exec(text.trim()) ?? [];
  if (scheme === "") return `must be ${REDIS_ADDRESS}`;
  const kind: Kind = (ending?.toLowerCase() as Kind | undefined) ?? "single";
  const nodes = hosts.split(",").map((host) => nodeOf(host, PORTS[kind]));
  if (!nodes.every((node) => node !== undefined)) return "has a host that is neither a name nor an address";
  if (kind === "single" && nodes.length > 1)
    return "names several hosts; use redis+sentinel:// or redis+cluster://";
  const options = optionsOf(query ?? "");
  if (typeof options === "string") return options;
  const credentials = credentialsOf(user ?? "");
  const database = kind === "single" && /^\d{1,4}$/.test(path) ? Number(path) : 0;
  const isPathValid = kind === "sentinel" ? /^[\w.-]+$/.test(path) : path === "" || kind === "single";
  if (credentials === undefined || !isPathValid || (kind === "single" && !/^\d{0,4}$/.test(path)))
    return `must be ${REDIS_ADDRESS}`;
  return {
    kind,
    nodes,
    primary: kind === "sentinel" ? path : undefined,
    tls: scheme.toLowerCase() === "rediss",
    ...credentials,
    database,
    ...options,
    shown: `${scheme}${ending === undefined ? "" : `+${ending}`}://${hosts}${path === "" ? "" : `/${path}`}`,
  };
}

/** An address without user, password and options. A text that is no address is not shown at all. */
export function shownRedisAddress(text: string): string {
  const address = parseRedisAddress(text);
  return typeof address === "string" ? "(not an address)" : address.shown;
}

function nodeOf(text: string, usualPort: number): RedisNode | undefined {
  const [, v6, name, digits] = NODE.exec(text.trim()) ?? [];
  const host = v6 ?? name;
  const port = digits === undefined ? usualPort : Number(digits);
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port };
}

function credentialsOf(user: string): Pick<RedisAddress, "username" | "password"> | undefined {
  const colon = user.indexOf(":");
  try {
    const name = decodeURIComponent(colon < 0 ? user : user.slice(0, colon));
    const password = colon < 0 ? "" : decodeURIComponent(user.slice(colon + 1));
    return { username: name || undefined, password: password || undefined };
  } catch {
    return undefined;
  }
}

function optionsOf(query: string): Pick<RedisAddress, "prefix" | "timeoutMs"> | string {
  const options = { prefix: DEFAULT_PREFIX, timeoutMs: DEFAULT_TIMEOUT_MS };
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === "prefix") {
      // A brace would decide the slot of every key in a cluster.
      if (!/^[\w:.-]{1,64}$/.test(value))
        return "has a prefix with other characters than letters, digits and _ : . -";
      options.prefix = value;
    } else if (name === "timeout") {
      const ms = /^\d{1,5}$/.test(value) ? Number(value) : 0;
      if (ms < 1 || ms > LONGEST_TIMEOUT_MS)
        return `has a timeout that is not a number of milliseconds from 1 to ${LONGEST_TIMEOUT_MS}`;
      options.timeoutMs = ms;
    } else return `has an unknown option '${name.slice(0, 40)}'; known are prefix and timeout`;
  }
  return options;
}
