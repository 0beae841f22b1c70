import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createHostPolicy, isKnownHost } from "../../../src/http/server/host-guard.ts";

const policy = createHostPolicy({
  host: "127.0.0.1",
  publicUrl: new URL("https://skills.example.com"),
  allowedHosts: ["proxy.internal", "[2001:db8::1]"],
  allowedOrigins: [],
});

/** What the header means to whoever connects with it. */
function obvious(header: string): boolean {
  if (!/^(?:\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\]+)(?::\d{1,5})?$/i.test(header)) return false;
  try {
    return policy.hosts.has(new URL(`http://${header}`).hostname);
  } catch {
    return false;
  }
}

const name = fc.oneof(
  fc.constantFrom(
    ...policy.hosts,
    "LOCALHOST",
    "127.1",
    "0x7f.1",
    "localhost.",
    "evil.example",
    "127.0.0.01",
  ),
  fc.string({ maxLength: 12 }),
);
const port = fc.oneof(
  fc.constantFrom("", ":", ":0", ":65535", ":65536", ":99999", ":-1", ":1e3", ":080"),
  fc.nat(100_000).map((value) => `:${value}`),
);

test("a host is known when, and only when, the URL with it leads to a listed name", () => {
  fc.assert(
    fc.property(name, port, (host, rest) => {
      expect(isKnownHost(policy, host + rest, undefined)).toBe(obvious(host + rest));
    }),
    { numRuns: 1_000 },
  );
});
