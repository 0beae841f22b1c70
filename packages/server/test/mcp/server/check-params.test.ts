import { describe, expect, test } from "vitest";
import {
  modernHeaders,
  modernRequest,
  openSession,
  post,
} from "../../../../../test/support/http-requests.ts";
import { createSandbox } from "../../../../../test/support/sandbox.ts";
import { openHttp } from "../../open-http.ts";

const BROKEN: readonly (readonly [method: string, params: object, problem: string])[] = [
  ["tools/call", {}, "name is missing"],
  ["tools/call", { name: 5 }, "name must be a string"],
  ["tools/call", { name: "skill", arguments: "pdf" }, "arguments must be an object, such as {}"],
  ["prompts/get", {}, "name is missing"],
  ["prompts/get", { name: "pdf", arguments: { task: 1 } }, "arguments.task must be a string"],
  ["resources/read", {}, "uri is missing"],
  ["resources/read", { uri: ["a"] }, "uri must be a string"],
  ["tools/list", { cursor: 5 }, "cursor must be a string"],
  ["resources/templates/list", { cursor: null }, "cursor must be a string"],
  ["completion/complete", {}, "ref must be an object with the type ref/prompt or ref/resource"],
  ["completion/complete", { ref: { type: "ref/prompt" } }, "ref.name is missing"],
  [
    "completion/complete",
    { ref: { type: "ref/prompt", name: "pdf" } },
    "argument must be an object with the strings name and value",
  ],
  [
    "completion/complete",
    { ref: { type: "ref/resource", uri: "skill://{name}" }, argument: { name: "name" } },
    "argument.value is missing",
  ],
];

describe("parameters that the protocol does not define are -32602 in one sentence", () => {
  test("with a session", async () => {
    const { url } = await openHttp(createSandbox());
    const headers = { "mcp-session-id": await openSession(url) };
    const ask = async (method: string, params?: object): Promise<unknown> => {
      const answer = await post(`${url}/mcp`, { jsonrpc: "2.0", id: 7, method, params }, headers);
      const [, data = ""] = /^data: (.+)$/m.exec(await answer.text()) ?? [];
      return (JSON.parse(data) as { readonly error: unknown }).error;
    };
    for (const [method, params, problem] of [
      ...BROKEN,
      ["resources/subscribe", {}, "uri is missing"] as const,
    ])
      expect(await ask(method, params)).toEqual({
        code: -32602,
        message: `Invalid params of ${method}: ${problem}.`,
      });
    expect(await ask("tools/call")).toMatchObject({
      message: "Invalid params of tools/call: name is missing.",
    });
  });

  test.each(BROKEN.filter(([, params]) => !("name" in params) && !("uri" in params)))(
    "without one: %s %j",
    async (method, params, problem) => {
      const { url } = await openHttp(createSandbox());
      const answer = await post(`${url}/mcp`, modernRequest(7, method, params), modernHeaders(method));
      const text = await answer.text();
      expect(text).toContain('"code":-32602');
      // Where a header has to repeat a parameter, the SDK compares the two first.
      if (!/mcp-name/i.test(text)) expect(text).toContain(`Invalid params of ${method}: ${problem}.`);
    },
  );
});

test("a method that is not served stays -32601, whatever its parameters", async () => {
  const { url } = await openHttp(createSandbox());
  const headers = { "mcp-session-id": await openSession(url) };
  const answer = await post(`${url}/mcp`, { jsonrpc: "2.0", id: 7, method: "logging/setLevel" }, headers);
  expect(await answer.text()).toContain('"code":-32601');
});
