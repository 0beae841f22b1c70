import type { Setting } from "./merge.ts";
import {
  type ConfigProblem,
  ENDPOINT,
  isEndpoint,
  LONGEST_INTERVAL_MINUTES,
  type Origin,
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
  return { settings, problems };
}

/** Whether the operator trusts a library from git with the settings that are otherwise theirs alone. */
export function trustsConfig(environment: Environment): boolean {
  return environment["SKILLS_TRUST_CONFIG"]?.trim() === "1";
}

const REFRESH = "REFRESH_INTERVAL_MINUTES";
const ENDPOINT_VARIABLE = "ANALYTICS_ENDPOINT";

function turnedOn(
  section: "refresh" | "analytics",
  values: Readonly<Record<string, unknown>>,
  variable: string,
): readonly Setting[] {
  const origin: Origin = { kind: "environment", variable };
  return Object.entries({ enabled: true, ...values }).map(([key, value]) => {
    return { parts: [section, key], value, origin };
  });
}
