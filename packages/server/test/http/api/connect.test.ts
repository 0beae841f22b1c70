import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createSandbox } from "../../../../../test/support/sandbox.ts";
import { openApi } from "./open-api.ts";

const HERE = { headers: { host: "127.0.0.1:4700", "x-skills-mcp": "test" } };
const READER: ReadonlySet<string> = new Set(["skills:read"]);
const BEFORE = "{}\n";

interface Listed {
  readonly agents: readonly {
    readonly id: string;
    readonly state: string;
    readonly plan?: { readonly seen: string; readonly how: string; readonly diff: readonly string[] };
  }[];
}

function fill() {
  const sandbox = createSandbox();
  const file = sandbox.write("home/.cursor/mcp.json", BEFORE);
  const { get, post } = openApi(sandbox);
  const cursor = async () =>
    ((await get("connect", HERE)).json as Listed).agents.find(({ id }) => id === "cursor");
  return { sandbox, file, get, post, cursor, text: () => readFileSync(file, "utf8") };
}

test.each([
  ["without skills:admin", { ...HERE, scopes: READER }],
  ["without the key", { ...HERE, needsKey: true }],
  ["on a server with tokens", { ...HERE, subject: "ann" }],
  ["by a page of another machine", { headers: { ...HERE.headers, host: "skills.example.com" } }],
])("%s no agent is listed or connected", async (_what, request) => {
  const { get, post, cursor, text } = fill();
  const seen = (await cursor())?.plan?.seen;
  expect((await get("connect", request)).status).toBeGreaterThanOrEqual(400);
  for (const body of [{ agent: "cursor", seen }, { agent: "cursor" }])
    for (const name of ["connect/add", "connect/remove"])
      expect((await post(name, body, request)).status).toBeGreaterThanOrEqual(400);
  expect(text()).toBe(BEFORE);
});

test("what is written is what was shown, and it is taken away without a trace", async () => {
  const { sandbox, post, cursor, text } = fill();
  const seen = (await cursor())?.plan?.seen;
  sandbox.write("home/.cursor/mcp.json", '{"mine": 1}\n');
  expect((await post("connect/add", { agent: "cursor", seen }, HERE)).status).toBe(409);
  expect(text()).toBe('{"mine": 1}\n');
  const agent = await cursor();
  expect(agent).toMatchObject({ state: "not connected", plan: { how: "server" } });
  const answer = await post("connect/add", { agent: "cursor", seen: agent?.plan?.seen }, HERE);
  expect(answer).toMatchObject({
    status: 200,
    json: { done: { command: "skills-mcp connect cursor --http http://127.0.0.1:4700/mcp" } },
  });
  expect(JSON.parse(text())).toMatchObject({ mcpServers: { skills: { url: "http://127.0.0.1:4700/mcp" } } });
  expect(await cursor()).toMatchObject({ state: "connected" });
  await post("connect/remove", { agent: "cursor" }, HERE);
  expect(text()).toBe('{"mine": 1}\n');
});
