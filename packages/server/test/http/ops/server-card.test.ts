import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { VERSION } from "#util";
import { createSandbox, type Sandbox } from "../../../../../test/support/sandbox.ts";
import { type OpenHttpOptions, openHttp } from "../../open-http.ts";

const CARD = "/mcp/server-card";
const CATALOG = "/.well-known/ai-catalog.json";

/** A server with skills, profiles and a token, of which nothing may be told. */
async function open(
  options: OpenHttpOptions = {},
): Promise<{ readonly url: string; readonly sandbox: Sandbox }> {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/canary", { description: "Does canary things." });
  const tokenFile = sandbox.write("tokens", "canary-ann:0123456789abcdef:read:canary-team\n");
  chmodSync(tokenFile, 0o600);
  const { url } = await openHttp(sandbox, { auth: { tokenFile, oauth: undefined }, ...options });
  return { url, sandbox };
}

const behindProxy = { publicUrl: new URL("https://skills.example.com/team/") };

test("a card says how to connect, in the shape of SEP-2127, without a token", async () => {
  const { url } = await open({ http: behindProxy });
  const answer = await fetch(`${url}${CARD}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/mcp-server-card+json");
  expect(await answer.json()).toEqual({
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    name: "com.example.skills/skills-mcp",
    version: VERSION,
    title: "Skills",
    description: "Agent Skills, loaded by name or found by task.",
    remotes: [
      {
        type: "streamable-http",
        url: "https://skills.example.com/team/mcp",
        supportedProtocolVersions: expect.arrayContaining(["2025-11-25", "2026-07-28"]) as string[],
        headers: [
          {
            name: "Authorization",
            description: "Bearer and a token from whoever runs this server",
            isRequired: true,
            isSecret: true,
          },
        ],
      },
    ],
  });
});

test("a catalog leads to the card, in the shape of AI Catalog 1.0", async () => {
  const { url } = await open({ http: behindProxy });
  const answer = await fetch(`${url}${CATALOG}`);
  expect(answer.headers.get("content-type")).toBe("application/ai-catalog+json");
  expect(await answer.json()).toEqual({
    specVersion: "1.0",
    entries: [
      {
        identifier: "urn:air:skills.example.com:mcp:skills-mcp",
        type: "application/mcp-server-card+json",
        url: "https://skills.example.com/team/mcp/server-card",
      },
    ],
  });
});

test("neither tells more than anybody may know, whoever asks", async () => {
  const { url } = await open();
  const asked = async (path: string, authorization?: string): Promise<string> =>
    (await fetch(`${url}${path}`, authorization === undefined ? {} : { headers: { authorization } })).text();
  for (const path of [CARD, CATALOG]) {
    const said = await asked(path);
    expect(said).not.toMatch(/canary/);
    expect(await asked(path, "Bearer 0123456789abcdef")).toBe(said);
    expect(await asked(path, "Bearer wrong")).toBe(said);
  }
});

test("without tokens no header is asked for; over SSE alone the card says so; an address stays one", async () => {
  const remote = async (options: OpenHttpOptions) => {
    const { url } = await openHttp(createSandbox(), options);
    const card = (await (await fetch(`${url}${CARD}`)).json()) as { name: string; remotes: object[] };
    expect(card.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(card.name).toBe("127.0.0.1/skills-mcp");
    return card.remotes[0];
  };
  expect(Object.keys((await remote({})) ?? {})).toEqual(["type", "url", "supportedProtocolVersions"]);
  expect(await remote({ http: { sseOnly: true } })).toMatchObject({
    type: "sse",
    url: expect.stringMatching(/\/sse$/) as string,
  });
});

test("both are cached by their ETag", async () => {
  const { url } = await open();
  for (const path of [CARD, CATALOG]) {
    const first = await fetch(`${url}${path}`);
    expect(first.headers.get("cache-control")).toBe("public, max-age=3600");
    const etag = first.headers.get("etag") ?? "";
    const again = await fetch(`${url}${path}`, { headers: { "if-none-match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect((await fetch(`${url}${path}`, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(`${url}${path}`, { method: "POST" })).status).toBe(405);
  }
});

test("pages of any origin may read both on a server with a public URL, and on no other; hosts are still checked", async () => {
  const headers = { origin: "https://elsewhere.example" };
  const hidden = await open();
  const open_ = await open({ http: behindProxy });
  for (const path of [CARD, CATALOG]) {
    expect((await fetch(`${hidden.url}${path}`, { headers })).status).toBe(403);
    const answer = await fetch(`${open_.url}${path}`, { headers });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    const preflight = await fetch(`${open_.url}${path}`, { method: "OPTIONS", headers });
    expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
      204,
      "Content-Type, If-None-Match",
    ]);
  }
  expect((await fetch(`${open_.url}/mcp`, { method: "POST", headers })).status).toBe(403);
});
