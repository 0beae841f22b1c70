import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  INITIALIZE,
  metric,
  modernHeaders,
  modernRequest,
  openSession,
  post,
} from "../../../../../test/support/http-requests.ts";
import { createSandbox } from "../../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../../test/support/wait-until.ts";
import { openHttp } from "../../open-http.ts";

const ROUTES = [
  "/mcp",
  "/sse",
  "/messages?sessionId=x",
  "/healthz",
  "/readyz",
  "/metrics",
  "/.well-known/agent-skills/index.json",
  "/.well-known/skills/index.json",
  "/.well-known/oauth-protected-resource",
  "/nothing",
];

/** `fetch` sets Host itself, so these go by hand. */
function statusOf(url: string, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(new URL(path, url), { headers }, (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    request.on("error", reject).end();
  });
}

describe("every address", () => {
  test("refuses a foreign Host and a foreign Origin", async () => {
    const { url } = await openHttp(createSandbox());
    for (const path of ROUTES) {
      expect(await statusOf(url, path, { host: "evil.example" })).toBe(403);
      expect(await statusOf(url, path, { origin: "http://evil.example" })).toBe(403);
      expect(await statusOf(url, path, { origin: "null" })).toBe(403);
    }
  });

  test("refuses a request with two Host headers", async () => {
    const { url } = await openHttp(createSandbox());
    const { host, hostname, port } = new URL(url);
    for (const path of ROUTES) {
      for (const hosts of [
        [host, "evil.example"],
        [host, host],
      ]) {
        const socket = connect(Number(port), hostname);
        onTestFinished(() => void socket.destroy());
        socket.end(`GET ${path} HTTP/1.1\r\n${hosts.map((one) => `Host: ${one}\r\n`).join("")}\r\n`);
        const [answer] = (await once(socket, "data")) as [Buffer];
        expect(answer.toString("latin1")).toMatch(/^HTTP\/1\.1 400 /);
        socket.destroy();
      }
    }
  });

  test("is open to a listed origin, whose pages may read the answers", async () => {
    const { url } = await openHttp(createSandbox(), {
      http: { allowedOrigins: ["https://app.example.com"] },
    });
    const headers = { origin: "https://app.example.com" };
    const asked = await fetch(`${url}/mcp`, { method: "OPTIONS", headers });
    expect(asked.status).toBe(204);
    expect(asked.headers.get("access-control-allow-headers")).toContain("Mcp-Session-Id");
    const answer = await post(`${url}/mcp`, INITIALIZE, headers);
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://app.example.com");
    await answer.text();
    const local = await post(`${url}/mcp`, INITIALIZE, { origin: "http://localhost:5173" });
    expect(local.status).toBe(200);
    expect(local.headers.get("access-control-allow-origin")).toBeNull();
    await local.text();
  });
});

describe("a body", () => {
  test.each(["/mcp", "/messages?sessionId=x"])("on %s that is too big is 413", async (path) => {
    const { url } = await openHttp(createSandbox(), { http: { limits: { bodyBytes: 1_000 } } });
    const announced = await post(new URL(path, url).href, `"${"x".repeat(2_000)}"`);
    expect(announced.status).toBe(413);
    const chunks = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode("x".repeat(600)));
      },
    });
    const streamed = await fetch(new URL(path, url), {
      method: "POST",
      body: chunks,
      headers: { "content-type": "application/json" },
      duplex: "half",
    }).then(
      ({ status }) => status,
      () => 413,
    );
    expect(streamed).toBe(413);
  });

  test.each([
    ["broken JSON", "{", 400],
    ["nothing", "", 400],
    ["a number", "5", 400],
    ["null", "null", 400],
    ["an empty batch", "[]", 400],
    ["no session", { jsonrpc: "2.0", id: 1, method: "tools/list" }, 400],
    ["initialize without parameters", { jsonrpc: "2.0", id: 1, method: "initialize" }, 400],
    ["deep nesting", "[".repeat(100_000) + "]".repeat(100_000), 400],
  ])("of %s is refused", async (_what, body, status) => {
    const { url } = await openHttp(createSandbox());
    expect((await post(`${url}/mcp`, body)).status).toBe(status);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test("of another type is 415", async () => {
    const { url } = await openHttp(createSandbox());
    for (const body of [INITIALIZE, modernRequest(1, "tools/list")]) {
      const answer = await post(`${url}/mcp`, body, { "content-type": "text/plain" });
      expect(answer.status).toBe(415);
    }
  });
});

describe("methods and sessions", () => {
  test("what no client of ours does is 405, 404 or 400", async () => {
    const { url } = await openHttp(createSandbox());
    const version = { "mcp-protocol-version": "2025-11-25" };
    expect((await fetch(`${url}/mcp`, { headers: version })).status).toBe(405);
    expect((await fetch(`${url}/mcp`, { method: "DELETE" })).status).toBe(405);
    expect((await fetch(`${url}/mcp`, { method: "PUT" })).status).toBe(405);
    expect((await fetch(`${url}/messages`)).status).toBe(405);
    expect((await post(`${url}/messages`, INITIALIZE)).status).toBe(400);
    expect((await post(`${url}/messages?sessionId=unknown`, INITIALIZE)).status).toBe(404);
    const unknown = { "mcp-session-id": "unknown", accept: "text/event-stream" };
    expect((await fetch(`${url}/mcp`, { headers: unknown })).status).toBe(404);
    expect((await post(`${url}/mcp`, INITIALIZE, unknown)).status).toBe(404);
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
    expect((await fetch(`${url}/%2e%2e/etc/passwd`)).status).toBe(404);
  });

  test("a session of one kind is not found as one of the other", async () => {
    const { url } = await openHttp(createSandbox());
    const id = await openSession(url);
    expect((await post(`${url}/messages?sessionId=${id}`, INITIALIZE)).status).toBe(404);
  });

  test("DELETE ends a session", async () => {
    const { url } = await openHttp(createSandbox());
    const headers = { "mcp-session-id": await openSession(url) };
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    expect((await post(`${url}/mcp`, list, headers)).status).toBe(200);
    expect((await fetch(`${url}/mcp`, { method: "DELETE", headers })).status).toBe(200);
    expect((await post(`${url}/mcp`, list, headers)).status).toBe(404);
  });

  test("a header that contradicts the body is refused in the modern era", async () => {
    const { url } = await openHttp(createSandbox());
    const answer = await post(`${url}/mcp`, modernRequest(1, "tools/list"), modernHeaders("tools/call"));
    expect(answer.status).toBe(400);
  });

  test("a session that nobody uses is closed, one with a stream is not", async () => {
    const { url } = await openHttp(createSandbox(), { http: { limits: { idleMs: 100 } } });
    const [idle, listening] = [await openSession(url), await openSession(url)];
    const abort = new AbortController();
    onTestFinished(() => abort.abort());
    const headers = { "mcp-session-id": listening, accept: "text/event-stream" };
    const stream = await fetch(`${url}/mcp`, { headers, signal: abort.signal });
    expect(stream.status).toBe(200);
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    // Asking for the session itself would be a use of it.
    await waitUntil("one is gone", async () => (await metric(url, "skills_mcp_sessions")) === 1);
    expect((await post(`${url}/mcp`, list, { "mcp-session-id": idle })).status).toBe(404);
    expect((await post(`${url}/mcp`, list, { "mcp-session-id": listening })).status).toBe(200);
  });
});

describe("slow sockets", () => {
  test("200 at once, with half a head or half a body, are cut, and others are served meanwhile", async () => {
    const { url } = await openHttp(createSandbox(), {
      http: { limits: { headersTimeoutMs: 400, requestTimeoutMs: 500, timeoutCheckMs: 50 } },
    });
    const sockets = Array.from({ length: 200 }, (_, index) => drip(url, index % 2 === 0));
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    expect((await post(`${url}/mcp`, INITIALIZE)).status).toBe(200);
    await waitUntil("all are closed", () => sockets.every((socket) => socket.destroyed));
    await openSession(url);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
});

/** Sends a request one character at a time: its headers, or its body. */
function drip(url: string, headersOnly: boolean): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const head = `POST /mcp HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n`;
  socket.on("error", () => {});
  socket.resume();
  if (!headersOnly) socket.write(`${head}\r\n`);
  else socket.write("POST /mcp HTTP/1.1\r\n");
  const timer = setInterval(() => socket.write("x"), 100);
  socket.on("close", () => clearInterval(timer));
  onTestFinished(() => {
    socket.destroy();
  });
  return socket;
}
