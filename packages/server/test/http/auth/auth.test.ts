import { chmodSync, writeFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { NO_LOG } from "#util";
import { connectHttp, WAYS } from "../../../../../test/support/connect-http.ts";
import {
  INITIALIZE,
  modernHeaders,
  modernRequest,
  openSession,
  post,
} from "../../../../../test/support/http-requests.ts";
import { startIssuer } from "../../../../../test/support/issuer.ts";
import { logTo } from "../../../../../test/support/log.ts";
import { createSandbox, type Sandbox } from "../../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../../test/support/wait-until.ts";
import { openTokenFile } from "../../../src/http/auth/token-file.ts";
import type { HttpLimits } from "../../../src/http/server/options.ts";
import { openHttp } from "../../open-http.ts";

const ANN = "ann-0123456789abcdef";
const BOB = "bob-0123456789abcdef";
const EVE = "eve-0123456789abcdef";
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

function tokenFile(sandbox: Sandbox, lines: readonly string[]): string {
  const file = sandbox.write("tokens", `${lines.join("\n")}\n`);
  chmodSync(file, 0o600);
  return file;
}

async function openWithTokens(lines: readonly string[], limits: Partial<HttpLimits> = {}) {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf");
  sandbox.write(
    "library/deploy.md",
    "---\ndescription: Deploys.\nkeywords: [deploy]\nscripts:\n  - file: go.sh\n    description: Goes.\n    execution: server\n---\n\nText.\n",
  );
  const file = tokenFile(sandbox, lines);
  const opened = await openHttp(sandbox, {
    auth: { tokenFile: file, oauth: undefined },
    app: { library: sandbox.path("library") },
    http: { limits },
  });
  return { ...opened, file };
}

describe("tokens from a file", () => {
  test.each(WAYS)("let a real client in, %s", async (way) => {
    const { url } = await openWithTokens([`ann:${ANN}`]);
    const { client } = await connectHttp(url, way, { token: ANN });
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await expect(connectHttp(url, way, { token: EVE })).rejects.toThrow();
  });

  test("without one, or with a wrong one, every address but the probes is 401 and says how to get one", async () => {
    const { url } = await openWithTokens([`ann:${ANN}`]);
    const paths = [
      ...["/mcp", "/sse", "/messages?sessionId=x", "/.well-known/agent-skills/index.json"],
      ...[
        "/.well-known/agent-skills/pdf.tar.gz",
        "/.well-known/skills/index.json",
        "/.well-known/skills/pdf/SKILL.md",
      ],
    ];
    const wrong = [
      {},
      bearer(EVE),
      bearer(ANN.slice(1)),
      { authorization: ANN },
      { authorization: `Basic ${ANN}` },
    ];
    for (const path of paths) {
      for (const headers of wrong) {
        const answer = await fetch(`${url}${path}`, { headers });
        expect(answer.status).toBe(401);
        expect(answer.headers.get("www-authenticate")).toContain(
          `resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`,
        );
      }
      expect((await fetch(`${url}${path}${path.includes("?") ? "&" : "?"}access_token=${ANN}`)).status).toBe(
        401,
      );
    }
    expect((await post(`${url}/mcp`, INITIALIZE)).status).toBe(401);
    for (const path of ["/healthz", "/readyz", "/.well-known/oauth-protected-resource/mcp"]) {
      expect((await fetch(`${url}${path}`)).status).toBe(200);
    }
  });

  test("what a token may not do is 403 and names the scope", async () => {
    const { url } = await openWithTokens([`ann:${ANN}`, `bob:${BOB}:skills:run`, `eve:${EVE}:read,admin`]);
    const call = (name: string, token: string) => {
      const args = { skill_path: "deploy", file: "go.sh", args: {} };
      const body = modernRequest(1, "tools/call", { name, arguments: name === "run_script" ? args : {} });
      return post(`${url}/mcp`, body, { ...modernHeaders("tools/call", name), ...bearer(token) });
    };
    const refused = await call("run_script", ANN);
    expect(refused.status).toBe(403);
    expect(refused.headers.get("www-authenticate")).toMatch(/error="insufficient_scope", scope="skills:run"/);
    expect((await call("run_script", BOB)).status).toBe(200);
    expect((await call("run_script", EVE)).status).toBe(200);
    expect((await call("refresh_skills", BOB)).status).toBe(403);
    expect((await call("refresh_skills", EVE)).status).toBe(200);

    // Nor in a batch of the legacy era, nor over HTTP+SSE.
    const headers = { ...bearer(ANN), "mcp-session-id": await openSession(url, bearer(ANN)) };
    const run = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "run_script" } };
    expect((await post(`${url}/mcp`, [{ jsonrpc: "2.0", id: 6, method: "ping" }, run], headers)).status).toBe(
      403,
    );
    expect((await post(`${url}/messages?sessionId=x`, run, bearer(ANN))).status).toBe(403);
  });

  test.each(WAYS)("what a token may not call is not listed, %s", async (way) => {
    const { url } = await openWithTokens([`ann:${ANN}`, `bob:${BOB}:skills:run`, `eve:${EVE}:skills:admin`]);
    const listed = async (token: string): Promise<readonly string[]> => {
      const { client } = await connectHttp(url, way, { token });
      const { tools } = await client.listTools();
      return tools
        .map(({ name }) => name)
        .filter((name) => /^(get_skill|run_script|refresh_skills)$/.test(name));
    };
    expect(await listed(ANN)).toEqual(["get_skill"]);
    expect(await listed(BOB)).toEqual(["get_skill", "run_script"]);
    expect(await listed(EVE)).toEqual(["get_skill", "run_script", "refresh_skills"]);
  });

  test("a session belongs to the subject that opened it", async () => {
    const { url } = await openWithTokens([`ann:${ANN}`, `bob:${BOB}`]);
    const session = await openSession(url, bearer(ANN));
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    const asked = (token: string) =>
      post(`${url}/mcp`, list, { ...bearer(token), "mcp-session-id": session });
    expect((await asked(BOB)).status).toBe(404);
    const stolen = { ...bearer(BOB), "mcp-session-id": session, accept: "text/event-stream" };
    expect((await fetch(`${url}/mcp`, { headers: stolen })).status).toBe(404);
    expect((await fetch(`${url}/mcp`, { method: "DELETE", headers: stolen })).status).toBe(404);
    expect((await asked(ANN)).status).toBe(200);

    const abort = new AbortController();
    onTestFinished(() => abort.abort());
    const stream = await fetch(`${url}/mcp`, { headers: bearer(ANN), signal: abort.signal });
    const { value } = (await stream.body?.getReader().read()) ?? {};
    const [, address = ""] = /data: (.+)/.exec(Buffer.from(value ?? []).toString()) ?? [];
    expect((await post(`${url}${address}`, INITIALIZE, bearer(BOB))).status).toBe(404);
    expect((await post(`${url}${address}`, INITIALIZE, bearer(ANN))).status).toBe(202);
  });

  test("what a session was sent is not given to another subject that comes with its last event id", async () => {
    const { url } = await openWithTokens([`ann:${ANN}`, `bob:${BOB}`]);
    const anns = { ...bearer(ANN), "mcp-session-id": await openSession(url, bearer(ANN)) };
    const bobs = { ...bearer(BOB), "mcp-session-id": await openSession(url, bearer(BOB)) };
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    const version = { "mcp-protocol-version": "2025-11-25" };
    const sent = await (await post(`${url}/mcp`, list, { ...anns, ...version })).text();
    const [, lastEvent = ""] = /^id: (.+)$/m.exec(sent) ?? [];
    const resume = async (headers: Readonly<Record<string, string>>): Promise<[number, string]> => {
      const comeBack = { accept: "text/event-stream", "last-event-id": lastEvent };
      const answer = await fetch(`${url}/mcp`, { headers: { ...headers, ...comeBack } });
      return [answer.status, await answer.text()];
    };
    // The first id of the stream marks its beginning, so what follows is the whole answer.
    expect(await resume(anns)).toEqual([200, expect.stringContaining('"tools"')]);
    const [inHers, inHis] = [await resume({ ...anns, ...bearer(BOB) }), await resume(bobs)];
    expect(inHers).toEqual([404, expect.not.stringContaining('"tools"')]);
    expect(inHis).toEqual([400, expect.not.stringContaining('"tools"')]);
  });

  test("one subject cannot take every session", async () => {
    const { url } = await openWithTokens([`ann:${ANN}`, `bob:${BOB}`]);
    for (let count = 0; count < 20; count++) await openSession(url, bearer(ANN));
    expect((await post(`${url}/mcp`, INITIALIZE, bearer(ANN))).status).toBe(503);
    await openSession(url, bearer(BOB));
  });

  test("one that asks too often is told when to come back, in both eras, and others are not", async () => {
    const never = { burst: 2, perSecond: 0.001 };
    const rates = { "skills:read": never, "skills:run": never, "skills:admin": never };
    const { url } = await openWithTokens([`ann:${ANN}`, `bob:${BOB}`], { rates });
    const list = modernRequest(1, "tools/list");
    const ask = {
      legacy: (token: string) => post(`${url}/mcp`, INITIALIZE, bearer(token)),
      modern: (token: string) =>
        post(`${url}/mcp`, list, { ...modernHeaders("tools/list"), ...bearer(token) }),
    };
    expect([(await ask.legacy(ANN)).status, (await ask.modern(ANN)).status]).toEqual([200, 200]);
    for (const refused of [await ask.legacy(ANN), await ask.modern(ANN)]) {
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(100);
    }
    expect((await ask.modern(BOB)).status).toBe(200);
  });

  test("the file is read again when it changes: new tokens count, and streams of old ones end", async () => {
    const { url, file, log } = await openWithTokens([`ann:${ANN}`, `bob:${BOB}`]);
    const session = await openSession(url, bearer(ANN));
    const headers = { ...bearer(ANN), "mcp-session-id": session, accept: "text/event-stream" };
    const stream = await fetch(`${url}/mcp`, { headers });
    const ended = stream.text().then(
      () => true,
      () => true,
    );
    writeFileSync(file, `eve:${EVE}\nbob:${BOB}\n`);
    const list = modernRequest(1, "tools/list");
    const statusOf = async (token: string) =>
      (await post(`${url}/mcp`, list, { ...modernHeaders("tools/list"), ...bearer(token) })).status;
    await waitUntil("the new token counts", async () => (await statusOf(EVE)) === 200);
    expect(await statusOf(ANN)).toBe(401);
    expect(await statusOf(BOB)).toBe(200);
    expect(await ended).toBe(true);

    writeFileSync(file, "broken\n");
    await waitUntil("the broken file is reported", () => log().includes("previous tokens remain valid"));
    expect(await statusOf(EVE)).toBe(200);
  });

  test.each([
    ["no token", "# nothing\n", /has no token/],
    ["no name", "0123456789abcdef\n", /tokens:1 is not name:token/],
    ["a name twice", `ann:${ANN}\nann:${BOB}\n`, /'ann' twice/],
    ["a token twice", `ann:${ANN}\nbob:${BOB}\neve:${ANN}\n`, /the same token for 'ann' and 'eve'/],
    ["an unknown scope", `ann:${ANN}:skills:fly\n`, /unknown scope 'skills:fly'/],
    ["a token with spaces", "ann:a b c\n", /is not name:token/],
  ])("a file with %s is refused", async (_what, text, message) => {
    const sandbox = createSandbox();
    const file = sandbox.write("tokens", text);
    const opened = openTokenFile({ file, log: NO_LOG, onRevoked: () => {} });
    await expect(opened).rejects.toThrow(message);
  });

  test("a file that others can read, and a token that can be guessed, are warned of", async () => {
    const sandbox = createSandbox();
    const file = sandbox.write("tokens", "# team\nann:short\n");
    chmodSync(file, 0o644);
    const lines: string[] = [];
    const verifier = await openTokenFile({
      file,
      log: logTo((line) => lines.push(line)),
      onRevoked: () => {},
    });
    verifier.close();
    expect(lines.join("\n")).toMatch(/chmod 600/);
    expect(lines.join("\n")).toMatch(/short enough to guess/);
    expect(lines.join("\n")).not.toContain("ann:short");
  });
});

describe("tokens of an authorization server", () => {
  async function openWithIssuer() {
    const issuer = await startIssuer();
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const oauth = { issuer: issuer.url, audience: "skills" };
    const opened = await openHttp(sandbox, { auth: { tokenFile: undefined, oauth } });
    const list = modernRequest(1, "tools/list");
    const asked = (token: string) =>
      post(`${opened.url}/mcp`, list, { ...modernHeaders("tools/list"), ...bearer(token) });
    return { ...opened, issuer, asked };
  }

  test("the metadata names it", async () => {
    const { url, issuer } = await openWithIssuer();
    for (const path of ["", "/mcp"]) {
      const answer = await fetch(`${url}/.well-known/oauth-protected-resource${path}`);
      expect(await answer.json()).toMatchObject({
        resource: `${url}/mcp`,
        authorization_servers: [issuer.url],
        scopes_supported: ["skills:read", "skills:run", "skills:admin"],
      });
    }
  });

  test("a good one is taken, everything else is not", async () => {
    const { issuer, asked } = await openWithIssuer();
    const scope = "openid skills:read";
    expect((await asked(await issuer.sign({ scope }))).status).toBe(200);
    const bad = {
      "another audience": { scope, audience: "mail" },
      "another issuer": { scope, issuer: "https://other.example" },
      expired: { scope, expires: Math.floor(Date.now() / 1000) - 3_600 },
      forged: { scope, forged: true },
    };
    for (const [what, claims] of Object.entries(bad)) {
      expect((await asked(await issuer.sign(claims))).status, what).toBe(401);
    }
    expect((await asked(unsigned(await issuer.sign({ scope })))).status).toBe(401);
    const narrow = await asked(await issuer.sign({ scope: "openid" }));
    expect(narrow.status).toBe(403);
    expect(narrow.headers.get("www-authenticate")).toContain("insufficient_scope");
  });

  test.each([
    ["missing", null],
    ["empty", ""],
    ["blank", "  "],
    ["a number", 7],
    ["a list", ["ann"]],
    ["an object", { name: "ann" }],
    ["true", true],
  ])("S17: a token whose `sub` is %s is refused, whatever else names a caller", async (_what, sub) => {
    const { issuer, asked } = await openWithIssuer();
    const more = { client_id: "ann", azp: "ann", email: "ann@example.com" };
    const answer = await asked(await issuer.sign({ scope: "skills:admin", sub, more }));
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
  });

  test("two subjects do not see each other's sessions", async () => {
    const { url, issuer } = await openWithIssuer();
    const scope = "skills:read";
    const [ann, bob] = [await issuer.sign({ scope }), await issuer.sign({ scope, sub: "bob" })];
    const session = await openSession(url, bearer(ann));
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    const asked = (token: string) =>
      post(`${url}/mcp`, list, { ...bearer(token), "mcp-session-id": session });
    expect((await asked(bob)).status).toBe(404);
    // A new token of the same subject keeps the session.
    expect((await asked(await issuer.sign({ scope, expires: "9m" }))).status).toBe(200);
  });

  test("while the authorization server is away, the answer is to come back later", async () => {
    const { issuer, asked } = await openWithIssuer();
    const token = await issuer.sign({ scope: "skills:read" });
    await issuer.goAway();
    const answer = await asked(token);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).not.toBeNull();
  });
});

/** The same claims with the algorithm `none`. */
function unsigned(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
  return `${header}.${token.split(".")[1] ?? ""}.`;
}
