import { isIP } from "node:net";
import { DEFAULT_VALUES } from "#config";
import type { AuthSettings, HttpServerOptions } from "#server";
import { isLoopback } from "#server";
import { badUsage, type FlagValues } from "../flags.ts";
import type { HTTP_FLAGS } from "../server-flags.ts";

/** The HTTP flags, validated before anything is opened. */
export type HttpSettings = Omit<AuthSettings, "log"> &
  Pick<HttpServerOptions, "host" | "port" | "publicUrl" | "allowedHosts" | "allowedOrigins">;

const { host: DEFAULT_HOST, port: DEFAULT_PORT } = DEFAULT_VALUES.server;

export function readHttpSettings(given: FlagValues<typeof HTTP_FLAGS>): HttpSettings {
  const host = (given.host ?? DEFAULT_HOST).replace(/^\[|\]$/g, "");
  if (isIP(host) === 0 && !/^[\w.-]+$/.test(host)) {
    throw badUsage("--host", `--host takes an address or a host name, not '${host}'.`);
  }
  const settings: HttpSettings = {
    host,
    port: given.port ?? DEFAULT_PORT,
    publicUrl: publicUrl(given["public-url"]),
    allowedHosts: commaList(given["allowed-hosts"]).map(hostName),
    allowedOrigins: commaList(given["allowed-origins"]).map(origin),
    tokenFile: given["token-file"],
    oauth: oauth(given),
  };
  if (
    given["default-profile"] !== undefined &&
    settings.tokenFile === undefined &&
    settings.oauth === undefined
  )
    throw badUsage(
      "--default-profile",
      "--default-profile is for callers with tokens: pass --token-file <file> or --auth-issuer <url>, or use --profile.",
    );
  if (!isLoopback(host) && settings.tokenFile === undefined && settings.oauth === undefined) {
    throw badUsage(
      "--host",
      `--host ${host} is reachable from other machines and needs authentication: pass --token-file <file> or --auth-issuer <url>, or listen on ${DEFAULT_HOST}.`,
    );
  }
  return settings;
}

function oauth(given: FlagValues<typeof HTTP_FLAGS>): HttpSettings["oauth"] {
  const { "auth-issuer": issuer, "auth-audience": audience, "auth-profile-claim": claim } = given;
  if (issuer === undefined && audience === undefined && claim === undefined) return undefined;
  if (issuer === undefined || audience === undefined) {
    throw badUsage("--auth-issuer", "--auth-issuer and --auth-audience must be used together.");
  }
  const url = httpUrl("--auth-issuer", issuer);
  if (url.protocol !== "https:" && !isLoopback(url.hostname)) {
    throw badUsage("--auth-issuer", `--auth-issuer takes an https URL, not '${issuer}'.`);
  }
  return { issuer, audience, ...(claim === undefined ? {} : { profileClaim: claim }) };
}

function publicUrl(given: string | undefined): URL | undefined {
  if (given === undefined) return undefined;
  const url = httpUrl("--public-url", given);
  if (url.search === "" && url.hash === "" && url.username === "") return url;
  throw badUsage("--public-url", `--public-url takes a URL without query or user, not '${given}'.`);
}

function origin(given: string): string {
  const url = httpUrl("--allowed-origins", given);
  if (url.origin === given.toLowerCase().replace(/\/$/, "")) return url.origin;
  throw badUsage(
    "--allowed-origins",
    `--allowed-origins takes origins such as https://app.example.com, not '${given}'.`,
  );
}

function hostName(given: string): string {
  if (URL.canParse(`http://${given}`) && /^[^/?#@]+$/.test(given)) return given;
  throw badUsage(
    "--allowed-hosts",
    `--allowed-hosts takes host names such as skills.example.com, not '${given}'.`,
  );
}

function httpUrl(flag: string, given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw badUsage(flag, `${flag} takes an http or https URL, not '${given}'.`);
}

function commaList(lists: readonly string[]): readonly string[] {
  return lists.flatMap((list) => list.split(",")).flatMap((part) => part.trim() || []);
}
