import { createMcpHandler, McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { INITIALIZE, modernHeaders, modernRequest, post } from "../../../../../test/support/http-requests.ts";
import { createSandbox, type Sandbox } from "../../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../../test/support/wait-until.ts";
import type { ServerFactory } from "../../../src/http/transports/sessions.ts";
import { openHttp } from "../../open-http.ts";

function withSkill(): Sandbox {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf", { body: "Use a reader.\n" });
  return sandbox;
}

async function ask(url: string, method: string, params: object, name?: string) {
  const answer = await post(`${url}/mcp`, modernRequest(7, method, params), modernHeaders(method, name));
  return { status: answer.status, answer: JSON.parse(await answer.text()) };
}

test("every method is answered by a server that was made for it alone", async () => {
  const { url } = await openHttp(withSkill());
  const { answer: resources } = await ask(url, "resources/list", {});
  const [{ uri }] = resources.result.resources;
  const asked: readonly (readonly [method: string, params: object, has: string, name?: string])[] = [
    ["server/discover", {}, "capabilities"],
    ["tools/list", {}, "tools"],
    ["tools/call", { name: "skill", arguments: { name: "pdf" } }, "content", "skill"],
    ["resources/list", {}, "resources"],
    ["resources/templates/list", {}, "resourceTemplates"],
    ["resources/read", { uri }, "contents", uri],
    ["prompts/list", {}, "prompts"],
    ["prompts/get", { name: "pdf" }, "messages", "pdf"],
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "pdf" }, argument: { name: "task", value: "" } },
      "completion",
    ],
    ["skills/list", {}, "skills"],
  ];
  for (const [method, params, has, name] of asked) {
    const { status, answer } = await ask(url, method, params, name);
    expect({ method, status, answer }).toMatchObject({
      status: 200,
      answer: { jsonrpc: "2.0", id: 7, result: { [has]: expect.anything() } },
    });
  }
});

test("what a server can do is the same whatever it is asked for, and in both eras", async () => {
  const { url } = await openHttp(withSkill());
  const { answer } = await ask(url, "server/discover", {});
  const initialized = await (await post(`${url}/mcp`, INITIALIZE)).text();
  const [, legacy = "{}"] = /^data: (\{.*\})$/m.exec(initialized) ?? [];
  expect(answer.result.capabilities).toEqual(JSON.parse(legacy).result.capabilities);
});

test.each([
  ["a method that nobody has", "no/method", modernHeaders("no/method"), 404, -32_601],
  ["a header that names another method", "tools/list", modernHeaders("prompts/list"), 400, -32_020],
  ["no header that names the method", "tools/list", { "mcp-protocol-version": "2026-07-28" }, 400, -32_020],
])("%s is refused", async (_what, method, headers, status, code) => {
  const { url } = await openHttp(withSkill());
  const answer = await post(`${url}/mcp`, modernRequest(7, method), headers);
  expect({ status: answer.status, answer: await answer.json() }).toMatchObject({
    status,
    answer: { id: 7, error: { code } },
  });
});

describe("a call of a tool", () => {
  const call = modernRequest(7, "tools/call", { name: "slow" });
  const headers = modernHeaders("tools/call", "slow");
  const factoryOf =
    (work: (context: ServerContext) => Promise<string>): ServerFactory =>
    () => {
      const options = { capabilities: { tools: {} }, supportedProtocolVersions: ["2026-07-28"] };
      const mcp = new McpServer({ name: "test", version: "1" }, options);
      mcp.server.setRequestHandler("tools/call", async (_request, context) => ({
        content: [{ type: "text", text: await work(context) }],
      }));
      return mcp;
    };

  test("is answered with the bytes that the SDK would send", async () => {
    const factory = factoryOf(async () => "Grüße 😀 \ud800");
    const { url } = await openHttp(createSandbox(), { http: { factory } });
    const request = new Request(`${url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...headers },
      body: JSON.stringify(call),
    });
    const theirs = await createMcpHandler(factory).fetch(request.clone());
    const ours = await fetch(request);
    const bytes = Buffer.from(await ours.arrayBuffer());
    expect(bytes).toEqual(Buffer.from(await theirs.arrayBuffer()));
    expect(Object.fromEntries(ours.headers)).toMatchObject({
      ...Object.fromEntries(theirs.headers),
      "content-length": String(bytes.length),
    });
  });

  test("tells how far it is before it answers, in a stream", async () => {
    const factory = factoryOf(async ({ mcpReq }) => {
      const params = { progressToken: 1, progress: 1, message: "half" };
      await mcpReq.notify({ method: "notifications/progress", params });
      return "done";
    });
    const { url } = await openHttp(createSandbox(), { http: { factory } });
    const answer = await post(`${url}/mcp`, call, headers);
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    const messages = [...(await answer.text()).matchAll(/^data: (.+)$/gm)].map(([, data = ""]) =>
      JSON.parse(data),
    );
    expect(messages).toMatchObject([
      { method: "notifications/progress", params: { message: "half" } },
      { id: 7, result: { content: [{ text: "done" }] } },
    ]);
  });

  test("is ended when its client goes away", async () => {
    let state = "not asked";
    const factory = factoryOf(
      ({ mcpReq: { signal } }) =>
        new Promise((resolve) => {
          state = "working";
          signal.addEventListener("abort", () => {
            state = "ended";
            resolve("nobody reads this");
          });
        }),
    );
    const { url } = await openHttp(createSandbox(), { http: { factory } });
    const abort = new AbortController();
    const answer = post(`${url}/mcp`, call, headers, abort.signal);
    answer.catch(() => {});
    await waitUntil("the call is under way", () => state === "working");
    abort.abort();
    await waitUntil("the call is ended", () => state === "ended");
    await expect(answer).rejects.toThrow();
  });

  test("is answered although the server is closed meanwhile, and then the server is gone", async () => {
    let finish = (_text: string): void => {};
    const factory = factoryOf(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    let asked = 0;
    const counted: ServerFactory = (context) => {
      asked++;
      return factory(context);
    };
    const { url, server } = await openHttp(createSandbox(), { http: { factory: counted } });
    const answer = post(`${url}/mcp`, call, headers);
    await waitUntil("the call is under way", () => asked === 1);
    const closed = server.close();
    finish("just in time");
    expect(await (await answer).json()).toMatchObject({ result: { content: [{ text: "just in time" }] } });
    await closed;
  });
});
