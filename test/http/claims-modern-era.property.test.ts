import { isLegacyRequest } from "@modelcontextprotocol/server";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { claimsModernEra } from "../../src/http/claims-modern-era.ts";

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
  { weight: 1, arbitrary: fc.constantFrom<unknown>(undefined, null, [], "text", {}) },
  { weight: 5, arbitrary: fc.record({ _meta: meta }) },
);
const call = fc.record({
  jsonrpc: fc.constantFrom<unknown>("2.0", "2.0", "1.0"),
  method: fc.constantFrom<unknown>("tools/call", "initialize", "notifications/cancelled", "", 1),
  params,
});
const more = fc.constantFrom<object>(
  {},
  { id: 1 },
  { id: "a" },
  { id: null },
  { id: 1, result: {} },
  { error: {} },
);
const message = fc.tuple(call, more).map(([one, other]) => ({ ...one, ...other }));
const body = fc.oneof(
  { weight: 8, arbitrary: message },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 2 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, 1, "text") },
);

test("whatever claims the modern era is what the SDK takes for it", async () => {
  let claims = 0;
  await fc.assert(
    fc.asyncProperty(
      body,
      fc.option(version.filter((value) => typeof value === "string")),
      async (sent, header) => {
        if (!claimsModernEra(sent)) return;
        claims++;
        const headers = new Headers(typeof header === "string" ? { "mcp-protocol-version": header } : {});
        const request = new Request("http://localhost/mcp", { method: "POST", headers });
        expect(await isLegacyRequest(request, sent)).toBe(false);
      },
    ),
    { numRuns: 1_000 },
  );
  expect(claims).toBeGreaterThan(50);
});
