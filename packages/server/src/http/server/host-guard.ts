import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { localhostAllowedHostnames, validateHostHeader } from "@modelcontextprotocol/server";
import type { HttpServerOptions } from "./options.ts";

/** Which `Host` and `Origin` headers are accepted. Both are always checked, against DNS rebinding. */
export interface HostPolicy {
  /** Host names without ports, in lower case. */
  readonly hosts: readonly string[];
  /** Whole origins, such as `https://app.example.com`, whose pages may use this server. */
  readonly origins: ReadonlySet<string>;
}

type HostPolicyOptions = Pick<HttpServerOptions, "host" | "publicUrl" | "allowedHosts" | "allowedOrigins">;

export function createHostPolicy(options: HostPolicyOptions): HostPolicy {
  const { host, publicUrl, allowedHosts, allowedOrigins } = options;
  const hosts = [bracketed(host), ...allowedHosts, ...(publicUrl ? [publicUrl.host] : [])];
  return {
    hosts: [...localhostAllowedHostnames(), ...hosts.flatMap(hostNames)],
    origins: new Set([...allowedOrigins, ...(publicUrl ? [publicUrl.origin] : [])].map(normalOrigin)),
  };
}

/** A host name or a bracketed address with an optional port; the SDK's check ignores other parts of a URL. */
const HOST_SHAPE = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\]+)(?::(\d{1,5}))?$/i;
const HIGHEST_PORT = 65_535;

/**
 * Whether a Host header is allowed. The address that the request arrived at always is: DNS rebinding needs a name.
 */
export function isKnownHost(
  { hosts }: HostPolicy,
  header: string | undefined,
  localAddress: string | undefined,
): boolean {
  const [, name = "", port = 0] = HOST_SHAPE.exec(header ?? "") ?? [];
  if (header === undefined || name === "") return false;
  // As it is listed, and so it is with nearly every request: there is nothing to parse.
  if (hosts.includes(name) && Number(port) <= HIGHEST_PORT) return true;
  return validateHostHeader(header, [...hosts, ...addressNames(localAddress)]).ok;
}

/**
 * Only browsers send an origin. A page that we serve has our own host; any other must be listed. The SDK's
 * `validateOriginHeader` compares host names alone, so that another port or plain http would do as well.
 */
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

/** Pages of listed origins may also read the responses; pages on this machine may not, unless they are listed. */
export function mayReadAnswers(policy: HostPolicy, origin: string): boolean {
  return policy.origins.has(normalOrigin(origin));
}

/**
 * Whether a page of another site caused a request, as browsers say, whatever it sends: a link, an image or a script has no
 * `Origin`. Pages of listed origins may. `none` is a person who typed the address.
 */
export function isFromAnotherSite(policy: HostPolicy, headers: IncomingMessage["headers"]): boolean {
  const { "sec-fetch-site": site, origin } = headers;
  if (site === undefined || site === "same-origin" || site === "none") return false;
  return origin === undefined || !mayReadAnswers(policy, origin);
}

export function isLoopback(address: string): boolean {
  const name = address.toLowerCase().replace(/^\[|\]$/g, "");
  const v4 = name.replace(/^::ffff:/, "");
  return name === "localhost" || name === "::1" || (isIP(v4) === 4 && v4.startsWith("127."));
}

/**
 * Whether a request comes from another machine: from an address that is not loopback, or through a proxy on this one,
 * which either says so or is why there is a public URL.
 */
export function isFromElsewhere(
  { socket, headers }: Pick<IncomingMessage, "socket" | "headers">,
  publicUrl: URL | undefined,
): boolean {
  const isForwarded = headers["x-forwarded-for"] !== undefined || headers["forwarded"] !== undefined;
  return publicUrl !== undefined || isForwarded || !isLoopback(socket.remoteAddress ?? "");
}

/** An IPv6 address in URL notation. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** Without the port, and as a URL spells it; none for what no URL can name. */
function hostNames(host: string): readonly string[] {
  const url = `http://${host}`;
  return HOST_SHAPE.test(host) && URL.canParse(url) ? [new URL(url).hostname] : [];
}

function addressNames(address: string | undefined): readonly string[] {
  return address === undefined ? [] : [bracketed(address.replace(/^::ffff:/i, "").toLowerCase())];
}

function normalOrigin(origin: string): string {
  return origin.toLowerCase().replace(/\/$/, "");
}
