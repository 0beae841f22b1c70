import { isIP } from "node:net";

/** Who may be named in `Host` and `Origin`. Both are always checked: a page that rebinds its name must not reach us. */
export interface HostPolicy {
  /** Host names without ports, in lower case. */
  readonly hosts: ReadonlySet<string>;
  /** Whole origins, such as `https://app.example.com`, which browsers may use from elsewhere. */
  readonly origins: ReadonlySet<string>;
}

const LOOPBACK_NAMES: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

export interface HostPolicyOptions {
  /** The address that is listened on. */
  readonly host: string;
  readonly publicUrl: URL | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

export function createHostPolicy({
  host,
  publicUrl,
  allowedHosts,
  allowedOrigins,
}: HostPolicyOptions): HostPolicy {
  const hosts = [...LOOPBACK_NAMES, bracketed(host), ...allowedHosts, ...(publicUrl ? [publicUrl.host] : [])];
  return {
    hosts: new Set(hosts.map((name) => hostNameOf(name) ?? name.toLowerCase())),
    origins: new Set([...allowedOrigins, ...(publicUrl ? [publicUrl.origin] : [])].map(normalOrigin)),
  };
}

/**
 * Whether a request names a host that we go by. The address it arrived at is always one: a name can be rebound to it,
 * but an address cannot.
 */
export function isKnownHost(
  policy: HostPolicy,
  header: string | undefined,
  localAddress: string | undefined,
): boolean {
  if (header === undefined) return false;
  if (isListed(policy, header)) return true;
  const name = hostNameOf(header);
  if (name === undefined) return false;
  return policy.hosts.has(name) || name === addressName(localAddress);
}

/** Only browsers send an origin. A page that we serve has our own host; any other must be listed. */
export function isKnownOrigin(
  policy: HostPolicy,
  origin: string | undefined,
  localAddress: string | undefined,
): boolean {
  if (origin === undefined) return true;
  if (policy.origins.has(normalOrigin(origin))) return true;
  if (!/^https?:\/\/[^/]+$/i.test(origin) || !URL.canParse(origin)) return false;
  return isKnownHost(policy, new URL(origin).host, localAddress);
}

/** Origins that were listed may also read the answers; pages on this machine may not, unless they are listed. */
export function mayReadAnswers(policy: HostPolicy, origin: string): boolean {
  return policy.origins.has(normalOrigin(origin));
}

export function isLoopback(address: string): boolean {
  const name = address.toLowerCase().replace(/^\[|\]$/g, "");
  return name === "localhost" || name === "::1" || isLoopbackV4(name.replace(/^::ffff:/, ""));
}

function isLoopbackV4(name: string): boolean {
  return isIP(name) === 4 && name.startsWith("127.");
}

/** An IPv6 address as it stands in a URL. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** Whether a header is, letter by letter, a name that is listed: nearly every one is, and parsing each as a URL costs. */
function isListed({ hosts }: HostPolicy, header: string): boolean {
  const [, name, port] = /^([a-z0-9.-]+)(?::(\d{1,5}))?$/.exec(header) ?? [];
  return name !== undefined && hosts.has(name) && Number(port ?? 0) <= 65_535;
}

/** The host name of `name:port`, or undefined when there is more in it than that. */
function hostNameOf(header: string): string | undefined {
  if (!/^(?:\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\]+)(?::\d{1,5})?$/i.test(header)) return undefined;
  const url = `http://${header}`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

function addressName(address: string | undefined): string | undefined {
  return address === undefined ? undefined : bracketed(address.replace(/^::ffff:/i, "").toLowerCase());
}

function normalOrigin(origin: string): string {
  return origin.toLowerCase().replace(/\/$/, "");
}
