import { describe, expect, test } from "vitest";
import { headersOf, parseHeaderList, withoutValue } from "../src/analytics-headers.ts";
import { checkConfigFile } from "../src/check-file.ts";
import { readEnvironment } from "../src/load-config.ts";

describe("ANALYTICS_HEADERS", () => {
  test.each([
    ["Authorization: Bearer x", { Authorization: "Bearer x" }],
    ["  X-A:1\n\nX-B:  a: b; c=d, e \n", { "X-A": "1", "X-B": "a: b; c=d, e" }],
    ['["X-A: 1", "X-B: ü"]', { "X-A": "1", "X-B": "ü" }],
  ])("%j is read as headers", (text, headers) => {
    expect(headersOf(parseHeaderList(text) ?? [])).toEqual(headers);
  });

  test.each([
    "secret",
    ": secret",
    "X A: secret",
    "X-A:",
    "Content-Type: secret",
    "content-length: 5",
    "Host: secret",
    "Idempotency-Key: secret",
    "Transfer-Encoding: secret",
    "X-A: 1\nsecret",
    "X-A: secret\u0000",
    "X-A: secret→",
    '["X-A: secret"',
    "[5]",
    '{"X-A": "secret"}',
  ])("%j is refused, and not repeated", (text) => {
    const { settings, problems } = readEnvironment({ ANALYTICS_HEADERS: text });
    expect(settings).toEqual([]);
    expect(problems).toEqual([
      {
        place: "ANALYTICS_HEADERS",
        message: 'Each line must be a header such as "X-Team: shop", not one that skills-mcp sets itself.',
        withholds: ["usage"],
      },
    ]);
  });

  test("headers are shown without their values", () => {
    expect(withoutValue("Authorization: Bearer secret")).toBe("Authorization: …");
  });
});

describe("SKILLS_SERVER_ID", () => {
  test.each(["eu-1", "x".repeat(100)])("%j is a name", (text) => {
    expect(readEnvironment({ SKILLS_SERVER_ID: text }).settings).toEqual([
      {
        parts: ["analytics", "server_id"],
        value: text,
        origin: { kind: "environment", variable: "SKILLS_SERVER_ID" },
      },
    ]);
  });

  test.each(["eu 1", "ü", "x".repeat(101)])("%j is refused", (text) => {
    expect(readEnvironment({ SKILLS_SERVER_ID: text }).problems).toHaveLength(1);
  });
});

describe("headers in a file", () => {
  const check = (text: string, owner: "operator" | "library") =>
    checkConfigFile({ file: "/f.yaml", text, home: "/home/ann", owner });

  test("a wrong header is named by its place, and not repeated", () => {
    const { problems } = check("analytics:\n  headers:\n    - 'X-A: 1'\n    - secret\n", "operator");
    expect(problems).toEqual([
      {
        place: "/f.yaml:4",
        message:
          'analytics.headers[1] is a text, but must be a header such as "X-Team: shop", not one that skills-mcp sets itself.',
        withholds: ["usage"],
      },
    ]);
  });

  test.each(["headers: ['X-A: secret']", "caller: full", "server_id: other"])(
    "%s is not for a library to set",
    (setting) => {
      const { settings, warnings } = check(`analytics: {${setting}, history: false}`, "library");
      expect(settings.map(({ parts }) => parts.join("."))).toEqual(["analytics.history"]);
      expect(warnings.map(({ message }) => message)).toEqual([
        expect.stringMatching(/^analytics\.\w+ was ignored, because a library may not set it; /),
      ]);
    },
  );
});
