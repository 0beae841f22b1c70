import { isLegacyRequest, parseJSONRPCMessage } from "@modelcontextprotocol/server";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { eraOf, isPlainCall } from "../../../src/http/transports/messages.ts";

const VERSION = "io.modelcontextprotocol/protocolVersion";

const version = fc.constantFrom<unknown>("2026-07-28", "2025-11-25", "2030-01-01", "", 7, null);
const meta = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom<unknown>(undefined, null, "text", []) },
  {
    weight: 5,
    arbitrary: fc.record(
      {
        [VERSION]: version,
        "io.modelcontextprotocol/clientCapabilities": fc.constantFrom<unknown>({}, null),
        "io.modelcontextprotocol/clientInfo": fc.constantFrom<unknown>({ name: "a", version: "1" }, 1),
      },
      { requiredKeys: [] },
    ),
  },
);
const params = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>({}, {}, { name: "a", arguments: {} }, null, []) },
  { weight: 5, arbitrary: fc.record({ _meta: meta }) },
);
const header = fc.constantFrom(undefined, "2026-07-28", "2025-11-25", "2025-06-18", "2030-01-01", "");
const call = fc.record({
  jsonrpc: fc.constantFrom<unknown>("2.0", "2.0", "1.0"),
  method: fc.constantFrom<unknown>(
    "tools/call",
    "ping",
    "tools/list",
    "initialize",
    "notifications/cancelled",
    "",
    1,
  ),
  params,
});
const more = fc.constantFrom<object>(
  {},
  { id: 1 },
  { id: "a" },
  { id: null },
  { id: 1, result: {} },
  { error: {} },
  { id: 1.5 },
  { extra: 1 },
);
const message = fc.tuple(call, more).map(([one, other]) => ({ ...one, ...other }));
const body = fc.oneof(
  { weight: 8, arbitrary: message },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 2 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, 1, "text") },
);

test("the era of a message, where it is told at all, is the one that the SDK takes it for", async () => {
  const told = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(body, header, async (sent, named) => {
      const era = eraOf(sent, named);
      if (era === undefined) return;
      told.set(era, (told.get(era) ?? 0) + 1);
      const headers = new Headers(named === undefined ? {} : { "mcp-protocol-version": named });
      const request = new Request("http://localhost/mcp", { method: "POST", headers });
      expect(await isLegacyRequest(request, sent)).toBe(era === "legacy");
    }),
    { numRuns: 1_500 },
  );
  expect(Math.min(told.get("modern") ?? 0, told.get("legacy") ?? 0)).toBeGreaterThan(0);
});

test("a plain call is a message, just as it is", () => {
  fc.assert(
    fc.property(body, (sent) => {
      if (isPlainCall(sent)) expect(parseJSONRPCMessage(sent)).toEqual(sent);
    }),
    { numRuns: 500 },
  );
});
