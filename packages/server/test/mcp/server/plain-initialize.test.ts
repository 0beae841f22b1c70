import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { expect, test } from "vitest";
import { NO_LOG } from "#util";
import { createSandbox } from "../../../../../test/support/sandbox.ts";
import { compose } from "../../../src/compose.ts";
import { DEFAULT_TOOLS, selectTools, withLibraryTools } from "../../../src/mcp/definitions/tool-sets.ts";
import { capabilitiesOf } from "../../../src/mcp/server/capabilities.ts";
import { createServerFactory } from "../../../src/mcp/server/create-server.ts";
import { answerInitialize, readInitialize } from "../../../src/mcp/server/plain-requests.ts";

/** Servers whose instructions name no skills. */
const SETTINGS = [
  { tools: DEFAULT_TOOLS.catalog, announcesChanges: true },
  { tools: DEFAULT_TOOLS.loader, instructionsBudget: 0, announcesChanges: true },
  {
    tools: withLibraryTools(DEFAULT_TOOLS.loaderAndCatalog),
    instructionsBudget: 0,
    announcesChanges: false,
    prompts: false,
  },
  { tools: selectTools(["library"], DEFAULT_TOOLS.loader), announcesChanges: true, prompts: true },
] as const;

const SERVER = capabilitiesOf(SETTINGS[0]);
const PARAMS = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "some client", version: "1.0.0" },
};
const MESSAGE = { jsonrpc: "2.0", id: 1, method: "initialize", params: PARAMS };

/** What the SDK itself answers to a message; undefined when it answers with an error. */
async function answerOfSdk(message: object, settings: (typeof SETTINGS)[number]): Promise<unknown> {
  const { home, project } = createSandbox();
  const { services, close } = compose({ cwd: project, userDir: home });
  const factory = createServerFactory(services, {
    toolNames: "dotted",
    descriptionFormat: "xml",
    descriptionBudget: undefined,
    log: NO_LOG,
    ...settings,
  });
  const mcp = factory({ era: "legacy" });
  try {
    return await new Promise((resolve, reject) => {
      const transport: Transport = {
        start: async () => {},
        close: async () => {},
        async send(sent) {
          resolve("result" in sent ? sent : undefined);
        },
      };
      mcp
        .connect(transport)
        .then(() => transport.onmessage?.(message as JSONRPCMessage))
        .catch(reject);
    });
  } finally {
    await mcp.close();
    await close();
  }
}

test("a plain initialize is answered", () => {
  const request = readInitialize(JSON.stringify(MESSAGE));
  if (request === undefined) throw new Error("It is plain.");
  expect(request.client).toEqual({ name: "some client", version: "1.0.0" });
  const line = answerInitialize(request, SERVER);
  expect(line.endsWith("\n")).toBe(true);
  expect(JSON.parse(line)).toEqual({
    jsonrpc: "2.0",
    id: 1,
    result: { protocolVersion: "2025-06-18", ...SERVER },
  });
});

const without = (key: string) => Object.fromEntries(Object.entries(PARAMS).filter(([name]) => name !== key));

test.each<[string, unknown]>([
  ["no JSON", "{"],
  ["another method", { ...MESSAGE, method: "tools/list" }],
  ["another JSON-RPC", { ...MESSAGE, jsonrpc: "1.0" }],
  ["a notification", { jsonrpc: "2.0", method: "initialize", params: PARAMS }],
  ["a fraction as id", { ...MESSAGE, id: 1.5 }],
  ["null as id", { ...MESSAGE, id: null }],
  ["a field of its own", { ...MESSAGE, extra: 1 }],
  ["a batch", [MESSAGE]],
  ["a version nobody speaks", { ...MESSAGE, params: { ...PARAMS, protocolVersion: "1999-01-01" } }],
  ["the modern era's version", { ...MESSAGE, params: { ...PARAMS, protocolVersion: "2026-07-28" } }],
  ["no version", { ...MESSAGE, params: without("protocolVersion") }],
  ["no capabilities", { ...MESSAGE, params: without("capabilities") }],
  ["no client", { ...MESSAGE, params: without("clientInfo") }],
  ["a client without a name", { ...MESSAGE, params: { ...PARAMS, clientInfo: { version: "1" } } }],
  ["metadata", { ...MESSAGE, params: { ...PARAMS, _meta: {} } }],
  ["an unknown capability", { ...MESSAGE, params: { ...PARAMS, capabilities: { flying: {} } } }],
  ["a wrong capability", { ...MESSAGE, params: { ...PARAMS, capabilities: { roots: true } } }],
  ["__proto__", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"__proto__":{}}}`],
])("the SDK is left to answer %s", (_what, message) => {
  const line = typeof message === "string" ? message : JSON.stringify(message);
  expect(readInitialize(line)).toBeUndefined();
});

test("whatever is answered early, the SDK answers the same", async () => {
  // Mostly as it should be, because one mistake leaves the whole message to the SDK.
  const mostly = (right: fc.Arbitrary<unknown>, ...wrong: readonly unknown[]) =>
    fc.oneof({ weight: 30, arbitrary: right }, { weight: 1, arbitrary: fc.constantFrom(...wrong) });
  const empty = mostly(fc.constant({}), { more: true }, 1);
  const objects = mostly(fc.dictionary(fc.string(), fc.object(), { maxKeys: 2 }), { a: "text" }, [1]);
  const known = fc.record(
    {
      roots: fc.record({ listChanged: mostly(fc.boolean(), {}, "yes") }, { requiredKeys: [] }),
      sampling: fc.record({ context: empty, tools: empty }, { requiredKeys: [] }),
      elicitation: fc.record({ form: empty, url: empty }, { requiredKeys: [] }),
      experimental: objects,
      extensions: objects,
    },
    { requiredKeys: [] },
  );
  const capabilities = mostly(known, { tasks: { list: {} } }, { other: 1 }, "all");
  const versions = ["2024-10-07", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "?"];
  const messages = fc.record({
    jsonrpc: fc.constant("2.0"),
    id: fc.oneof(fc.integer(), fc.string()),
    method: fc.constant("initialize"),
    params: fc.record({
      protocolVersion: fc.constantFrom(...versions),
      capabilities,
      clientInfo: fc.record({ name: fc.string(), version: fc.string(), title: fc.string() }),
    }),
  });
  const seen = { early: 0 };
  await fc.assert(
    fc.asyncProperty(messages, fc.constantFrom(...SETTINGS), async (message, settings) => {
      const plain = JSON.parse(JSON.stringify(message)) as object;
      const early = readInitialize(JSON.stringify(message));
      if (early === undefined) return;
      seen.early++;
      const line = answerInitialize(early, capabilitiesOf(settings));
      expect(JSON.parse(line)).toEqual(await answerOfSdk(plain, settings));
    }),
    { numRuns: 100 },
  );
  expect(seen.early).toBeGreaterThan(10);
});
