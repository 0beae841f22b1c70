import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import {
  createHostPolicy,
  isFromElsewhere,
  isKnownHost,
  isKnownOrigin,
  isLoopback,
} from "../../../src/http/server/host-guard.ts";

const policy = createHostPolicy({
  host: "127.0.0.1",
  publicUrl: new URL("https://skills.example.com/team"),
  allowedHosts: ["proxy.internal", "[2001:db8::1]", "1.2.3.4.5"],
  allowedOrigins: ["https://app.example.com"],
});

describe("the Host header", () => {
  test.each([
    "localhost",
    "LOCALHOST:4700",
    "localhost:65535",
    "127.0.0.1",
    "127.0.0.1:4700",
    "[::1]:4700",
    "skills.example.com",
    "skills.example.com:443",
    "proxy.internal:80",
    "[2001:db8::1]:4700",
    // The address that the request arrived at.
    "10.0.0.7:4700",
  ])("%s is ours", (host) => {
    expect(isKnownHost(policy, host, "::ffff:10.0.0.7")).toBe(true);
  });

  test.each([
    undefined,
    "",
    "evil.example",
    "localhost.evil.example",
    "evil.example:4700",
    "127.0.0.1.evil.example",
    "10.0.0.8",
    "localhost:4700@evil.example",
    "evil.example/localhost",
    "localhost evil.example",
    "localhost,evil.example",
    "localhost:99999999",
    "localhost:65536",
    "1.2.3.4.5",
    "localhost:abc",
    "[::1",
    "[::2]",
    "user:pass@localhost",
    "localhost\\@evil.example",
    "skills.example.com.",
    "2130706434",
    "127.0.0.2",
    "0.0.0.0",
    "//localhost",
    "localhost#",
    "localhost?",
  ])("%s is not", (host) => {
    expect(isKnownHost(policy, host, "10.0.0.7")).toBe(false);
  });
});

describe("the Origin header", () => {
  test.each([
    undefined,
    "http://localhost",
    "http://localhost:5173",
    "https://127.0.0.1:4700",
    "https://skills.example.com",
    "https://app.example.com",
    "http://10.0.0.7:4700",
  ])("%s may use the server", (origin) => {
    expect(isKnownOrigin(policy, origin, "10.0.0.7")).toBe(true);
  });

  test.each([
    "",
    "null",
    "http://evil.example",
    "https://app.example.com.evil.example",
    "http://app.example.com",
    "https://app.example.com:8443",
    "file://",
    "chrome-extension://abcdef",
    "http://localhost.evil.example",
    "http://localhost@evil.example",
    "http://evil.example#localhost",
    "http://localhost/path",
    "localhost",
    "https://",
  ])("%s may not", (origin) => {
    expect(isKnownOrigin(policy, origin, "10.0.0.7")).toBe(false);
  });
});

test.each([
  ["127.0.0.1", true],
  ["127.9.9.9", true],
  ["::1", true],
  ["[::1]", true],
  ["localhost", true],
  ["::ffff:127.0.0.1", true],
  ["0.0.0.0", false],
  ["::", false],
  ["10.0.0.7", false],
  ["127.evil.example", false],
  ["", false],
])("that %s is this machine alone is %s", (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});

describe("where a caller is", () => {
  test.each([
    ["127.0.0.1", {}, false],
    ["::1", {}, false],
    ["::ffff:127.0.0.1", {}, false],
    ["10.0.0.7", {}, true],
    ["::ffff:10.0.0.7", {}, true],
    ["fe80::1", {}, true],
    [undefined, {}, true],
    ["127.0.0.1", { "x-forwarded-for": "10.0.0.7" }, true],
    ["::1", { forwarded: "for=10.0.0.7" }, true],
  ] as const)("%s with %j is elsewhere: %s", (remoteAddress, headers, expected) => {
    const request = { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
    expect(isFromElsewhere(request, undefined)).toBe(expected);
  });

  test("with a public URL every caller may be anywhere", () => {
    const request = { socket: { remoteAddress: "127.0.0.1" }, headers: {} } as unknown as IncomingMessage;
    expect(isFromElsewhere(request, new URL("https://skills.example.com"))).toBe(true);
  });
});
