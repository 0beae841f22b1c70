import type { NetworkInterfaceInfo } from "node:os";
import { expect, test } from "vitest";
import { reachableUrl } from "../../src/http/reachable-url.ts";

const at = (address: string, internal = false) => {
  const family = address.includes(":") ? "IPv6" : "IPv4";
  return { address, family, internal } as NetworkInterfaceInfo;
};
const LOOPBACK = { lo: [at("127.0.0.1", true), at("::1", true)] };

test.each([
  ["http://127.0.0.1:4700", { eth0: [at("192.0.2.2")] }, "http://127.0.0.1:4700"],
  ["http://0.0.0.0:4700", { eth0: [at("fe80::1"), at("192.0.2.2")] }, "http://192.0.2.2:4700"],
  ["http://[::]:4700", { eth0: [at("2001:db8::2"), at("192.0.2.2")] }, "http://192.0.2.2:4700"],
  ["http://[::]:4700", { eth0: [at("fe80::1"), at("2001:db8::2")] }, "http://[2001:db8::2]:4700"],
  ["http://0.0.0.0:4700", { eth0: [at("2001:db8::2")] }, "http://127.0.0.1:4700"],
  ["http://0.0.0.0:4700", {}, "http://127.0.0.1:4700"],
])("a server at %s with %j is reached at another address", (url, others, expected) => {
  expect(reachableUrl(url, { ...LOOPBACK, ...others })).toBe(expected);
});
