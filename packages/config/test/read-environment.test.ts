import { describe, expect, test } from "vitest";
import { readEnvironment, trustsConfig } from "../src/load-config.ts";
import { mergeSettings } from "../src/settings.ts";

describe("REFRESH_INTERVAL_MINUTES", () => {
  test.each(["abc", "0", "-5", "1e99", "1.5", "35792", "+5", "0x10", "15 minutes", "NaN"])(
    "%j is refused by name",
    (value) => {
      const { settings, problems } = readEnvironment({ REFRESH_INTERVAL_MINUTES: value });
      expect(settings).toEqual([]);
      expect(problems).toEqual([
        {
          place: "REFRESH_INTERVAL_MINUTES",
          message: `The value is ${JSON.stringify(value)}, but must be a whole number from 1 to 35791. To turn the refresh off, unset it and set refresh.enabled to false in config.yaml.`,
        },
      ]);
    },
  );

  test.each([
    ["1", 1],
    [" 30 ", 30],
    ["35791", 35_791],
  ])("%j sets the interval and turns the refresh on", (value, minutes) => {
    const { values } = mergeSettings([readEnvironment({ REFRESH_INTERVAL_MINUTES: value }).settings]);
    expect(values.refresh).toEqual({ enabled: true, interval_minutes: minutes });
  });
});

describe("ANALYTICS_ENDPOINT", () => {
  test.each([
    "example.com",
    "ftp://example.com",
    "http:example.com",
    "https://",
    "https://ann:secret@example.com",
  ])("%j is refused by name, without repeating it", (value) => {
    const { settings, problems } = readEnvironment({ ANALYTICS_ENDPOINT: value });
    expect(settings).toEqual([]);
    expect(problems).toEqual([
      {
        place: "ANALYTICS_ENDPOINT",
        message:
          "The value must be an http or https URL without a user name or password, such as https://example.com/events.",
        withholds: ["usage"],
      },
    ]);
  });

  test.each(["http://127.0.0.1:9/e", " https://example.com/events?key=1 "])(
    "%j turns analytics on",
    (value) => {
      const { values, origins } = mergeSettings([readEnvironment({ ANALYTICS_ENDPOINT: value }).settings]);
      expect(values.analytics).toMatchObject({ enabled: true, endpoint: value.trim() });
      for (const key of ["analytics.enabled", "analytics.endpoint"]) {
        expect(origins.get(key)).toEqual({ kind: "environment", variable: "ANALYTICS_ENDPOINT" });
      }
      expect(origins.get("analytics.history")).toEqual({ kind: "default" });
    },
  );
});

test.each([
  [{}],
  [{ REFRESH_INTERVAL_MINUTES: "", ANALYTICS_ENDPOINT: "" }],
  [{ REFRESH_INTERVAL_MINUTES: "  ", ANALYTICS_ENDPOINT: " " }],
  [{ REFRESH_INTERVAL_MINUTES: undefined, HOME: "/home/ann" }],
])("readEnvironment: %j sets nothing", (environment) => {
  expect(readEnvironment(environment)).toEqual({ settings: [], problems: [] });
});

test.each([
  ["1", true],
  [" 1", true],
  ["0", false],
  ["true", false],
  ["", false],
  [undefined, false],
])("trustsConfig: SKILLS_TRUST_CONFIG=%j gives %j", (value, trusted) => {
  expect(trustsConfig({ SKILLS_TRUST_CONFIG: value })).toBe(trusted);
});
