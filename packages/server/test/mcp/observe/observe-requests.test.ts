import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import type { ObservedRequest, RequestOutcome } from "#util";
import { waitUntil } from "../../../../../test/support/wait-until.ts";
import { observeRequests } from "../../../src/mcp/observe/observe-requests.ts";
import { noteRequests } from "../../../src/mcp/observe/observers.ts";
import { PipedServer } from "../../../src/mcp/server/pipeline.ts";

/** A server whose requests are observed, on a transport that a test plays. */
async function openServer(transportKind: "pipe" | "tcp" = "pipe") {
  const noted: { readonly request: ObservedRequest; readonly outcome: RequestOutcome }[] = [];
  const sent: JSONRPCMessage[] = [];
  const mcp = new PipedServer({ name: "s", version: "1" }, { capabilities: { tools: {} } });
  const gates: (() => void)[] = [];
  const observe = noteRequests((request, outcome) => void noted.push({ request, outcome }));
  const skills = { snapshot: () => Promise.reject(new Error("no skills are needed")) };
  mcp.pipe([observeRequests(mcp.server, skills, { observe, transport: transportKind }, "ann")], {
    "tools/list": async () => {
      await new Promise<void>((resolve) => gates.push(resolve));
      return { tools: [] };
    },
  });
  const transport: Transport = {
    start: async () => {},
    send: async (message) => void sent.push(message),
    close: async () => transport.onclose?.(),
  };
  await mcp.connect(transport);
  return { noted, sent, gates, transport };
}

const list = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/list" }) as const;

describe("requests are observed", () => {
  test("once each, with the error of the SDK where no handler was asked", async () => {
    const { noted, sent, gates, transport } = await openServer();
    transport.onmessage?.({ jsonrpc: "2.0", id: 1, method: "ping" });
    transport.onmessage?.({ jsonrpc: "2.0", id: 2, method: "what a caller made up" });
    transport.onmessage?.(list(3));
    await waitUntil("it is handled", () => gates.length === 1);
    gates[0]?.();
    await waitUntil("three answers", () => sent.length === 3 && noted.length === 3);
    expect(
      noted.map(({ request, outcome }) => [request.id, request.method, outcome.kind, outcome.code]),
    ).toEqual([
      [2, "_OTHER", "error", -32_601],
      [1, "ping", "ok", undefined],
      [3, "tools/list", "ok", undefined],
    ]);
    expect(noted.every(({ request }) => request.caller === "ann")).toBe(true);
  });

  test("and end when the client cancels, disconnects or never gets an answer", async () => {
    const { noted, gates, transport } = await openServer();
    transport.onmessage?.(list(1));
    transport.onmessage?.(list(2));
    await waitUntil("both are handled", () => gates.length === 2);
    transport.onmessage?.({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1 },
    });
    await waitUntil("the first has ended", () => noted.length === 1);
    await transport.close();
    await waitUntil("the second has ended", () => noted.length === 2);
    expect(noted.map(({ request, outcome }) => [request.id, outcome.kind])).toEqual([
      [1, "cancelled"],
      [2, "cancelled"],
    ]);
  });

  test("no client can open more than a thousand that stay in memory", async () => {
    const { noted, transport } = await openServer();
    for (let id = 0; id < 1_010; id++) transport.onmessage?.(list(id));
    await waitUntil("the oldest have ended", () => noted.length === 10);
    expect(noted.map(({ request }) => request.id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test("not when a replica repeats what a client sent to another one", async () => {
    const { noted, sent, transport } = await openServer("tcp");
    transport.onmessage?.({ jsonrpc: "2.0", id: 1, method: "ping" });
    await waitUntil("it is answered", () => sent.length === 1);
    expect(noted).toEqual([]);
  });
});
