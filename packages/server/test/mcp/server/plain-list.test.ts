import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { NO_LOG } from "#util";
import { createSandbox } from "../../../../../test/support/sandbox.ts";
import { compose } from "../../../src/compose.ts";
import { createToolList } from "../../../src/mcp/definitions/tool-list.ts";
import { DEFAULT_TOOLS, selectTools, withLibraryTools } from "../../../src/mcp/definitions/tool-sets.ts";
import { createServerFactory } from "../../../src/mcp/server/create-server.ts";
import { idOfPlainList, isInitialized } from "../../../src/mcp/server/plain-requests.ts";
import type { ServerSettings } from "../../../src/mcp/server/settings.ts";

const SETTINGS: ServerSettings = {
  tools: DEFAULT_TOOLS.loader,
  announcesChanges: true,
  toolNames: "dotted",
  descriptionFormat: "xml",
  descriptionBudget: undefined,
  log: NO_LOG,
};

/** The texts that the SDK sends in answer to `initialize` and `tools/list`. */
async function answersOfSdk(mcp: ReturnType<ReturnType<typeof createServerFactory>>, name: string) {
  const answers: JSONRPCMessage[] = [];
  let wake = (): void => {};
  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    async send(message) {
      answers.push(message);
      wake();
    },
  };
  await mcp.connect(transport);
  const ask = async (message: object): Promise<void> => {
    const answered = new Promise<void>((resolve) => {
      wake = resolve;
    });
    transport.onmessage?.({ jsonrpc: "2.0", ...message } as JSONRPCMessage);
    await answered;
  };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name, version: "1" } };
  await ask({ id: 1, method: "initialize", params });
  await ask({ id: 2, method: "tools/list" });
  return answers.map((answer) => ("result" in answer ? JSON.stringify(answer.result) : undefined));
}

test.each([
  ["as usual", {}],
  ["with every tool", { tools: selectTools(["all"], DEFAULT_TOOLS.loader) }],
  ["with a library", { tools: withLibraryTools(DEFAULT_TOOLS.loaderAndCatalog), toolNames: "underscore" }],
  ["with another format", { descriptionFormat: "list", descriptionBudget: 700 }],
  ["where they last", { listsLastMs: 5_000, cacheScope: "private" }],
] as const)("%s, the first list is the very text that the SDK sends", async (_how, some) => {
  const settings: ServerSettings = { ...SETTINGS, ...some };
  const sandbox = createSandbox();
  for (let index = 0; index < 40; index++) sandbox.skill(`project/.claude/skills/skill-${index}`);
  const { services, close } = compose({ cwd: sandbox.project, userDir: sandbox.home });
  for (const client of ["claude-code", "some client"]) {
    const listTools = createToolList(settings);
    const early = JSON.stringify(listTools(await services.skills.snapshot(), { name: client }).answer);
    const mcp = createServerFactory(services, settings, listTools)({ era: "legacy" });
    expect((await answersOfSdk(mcp, client))[1]).toBe(early);
    await mcp.close();
  }
  await close();
});

describe("a plain tools/list", () => {
  test.each([
    ['{"jsonrpc":"2.0","id":7,"method":"tools/list"}', 7],
    ['{"method":"tools/list","params":{},"jsonrpc":"2.0","id":"x"}', "x"],
    ['{"jsonrpc":"2.0","method":"tools/list"}', undefined],
    ['{"jsonrpc":"2.0","id":null,"method":"tools/list"}', undefined],
    ['{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}', undefined],
    ['{"jsonrpc":"1.0","id":7,"method":"tools/list"}', undefined],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call"}', undefined],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"a"}}', undefined],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}', undefined],
    ['[{"jsonrpc":"2.0","id":7,"method":"tools/list"}]', undefined],
    ["", undefined],
  ])("%s: %s", (line, id) => {
    expect(idOfPlainList(line)).toBe(id);
  });
});

test("the initialized notification is told from a request", () => {
  expect(isInitialized('{"jsonrpc":"2.0","method":"notifications/initialized"}')).toBe(true);
  expect(isInitialized('{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}')).toBe(false);
  expect(isInitialized("[]")).toBe(false);
});
