import { HEADER, parseHeaderList } from "./analytics-headers.ts";
import type { Setting } from "./merge.ts";
import { parseRedisAddress } from "./redis-address.ts";
import {
  type ConfigProblem,
  ENDPOINT,
  isEndpoint,
  isServerId,
  LONGEST_INTERVAL_MINUTES,
  SERVER_ID,
} from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment sets. An empty variable counts as unset, because client configs cannot leave one out. */
export function readEnvironment(environment: Environment): {
  readonly settings: readonly Setting[];
  readonly problems: readonly ConfigProblem[];
} {
  const settings: Setting[] = [];
  const problems: ConfigProblem[] = [];

  const minutes = environment[REFRESH]?.trim() ?? "";
  if (minutes !== "") {
    const value = /^\d+$/.test(minutes) ? Number(minutes) : Number.NaN;
    if (value >= 1 && value <= LONGEST_INTERVAL_MINUTES) {
      settings.push(...turnedOn("refresh", { interval_minutes: value }, REFRESH));
    } else {
      const allowed = `a whole number from 1 to ${LONGEST_INTERVAL_MINUTES}`;
      const message = `The value is ${JSON.stringify(minutes.slice(0, 60))}, but must be ${allowed}. To turn the refresh off, unset it and set refresh.enabled to false in config.yaml.`;
      problems.push({ place: REFRESH, message });
    }
  }

  const endpoint = environment[ENDPOINT_VARIABLE]?.trim() ?? "";
  if (endpoint !== "") {
    if (isEndpoint(endpoint)) {
      settings.push(...turnedOn("analytics", { endpoint }, ENDPOINT_VARIABLE));
    } else {
      // Not repeated: it may contain a password.
      problems.push({ place: ENDPOINT_VARIABLE, message: `The value must be ${ENDPOINT}.` });
    }
  }
  const redis = environment[REDIS]?.trim() ?? "";
  if (redis !== "") {
    const address = parseRedisAddress(redis);
    if (typeof address === "string") problems.push({ place: REDIS, message: `The value ${address}.` });
    else settings.push(set(["server", "redis"], redis, REDIS));
  }
  const headers = environment[HEADERS]?.trim() ?? "";
  if (headers !== "") {
    const value = parseHeaderList(headers);
    // Not repeated: it contains a secret.
    if (value === undefined) problems.push({ place: HEADERS, message: `Each line must be ${HEADER}.` });
    else settings.push(set(["analytics", "headers"], value, HEADERS));
  }
  const serverId = environment[SERVER]?.trim() ?? "";
  if (serverId !== "") {
    if (isServerId(serverId)) settings.push(set(["analytics", "server_id"], serverId, SERVER));
    else problems.push({ place: SERVER, message: `The value must be ${SERVER_ID}.` });
  }
  const signed = environment[SIGNED]?.trim() ?? "";
  if (!/^[01]?$/.test(signed)) {
    const message = `The value is ${JSON.stringify(signed.slice(0, 60))}, but must be 1 (only signed commits are served) or 0.`;
    problems.push({ place: SIGNED, message });
  }
  return { settings, problems };
}

/** Whether only commits with a signature that the operator's git accepts are served. Anything but 0 does. */
export function requiresSigned(environment: Environment): boolean {
  return !/^0?$/.test(environment[SIGNED]?.trim() ?? "");
}

/** Whether the operator trusts a library from git with the settings that are otherwise theirs alone. */
export function trustsConfig(environment: Environment): boolean {
  return environment["SKILLS_TRUST_CONFIG"]?.trim() === "1";
}

const REDIS = "SKILLS_REDIS";
const SIGNED = "SKILLS_REQUIRE_SIGNED";
const REFRESH = "REFRESH_INTERVAL_MINUTES";
const ENDPOINT_VARIABLE = "ANALYTICS_ENDPOINT";
const HEADERS = "ANALYTICS_HEADERS";
const SERVER = "SKILLS_SERVER_ID";

function set(parts: Setting["parts"], value: unknown, variable: string): Setting {
  return { parts, value, origin: { kind: "environment", variable } };
}

function turnedOn(
  section: "refresh" | "analytics",
  values: Readonly<Record<string, unknown>>,
  variable: string,
): readonly Setting[] {
  return Object.entries({ enabled: true, ...values }).map(([key, value]) =>
    set([section, key], value, variable),
  );
}
