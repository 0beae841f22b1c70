import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectHttp } from "../../../../../test/support/connect-http.ts";
import { createSandbox } from "../../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../../test/support/wait-until.ts";
import { createDashboardFiles } from "../../../src/http/api/dashboard-files.ts";
import { createDashboard } from "../../../src/http/api/dashboard-page.ts";
import type { HttpLimits } from "../../../src/http/server/options.ts";
import { openHttp } from "../../open-http.ts";
import { plainLists, START } from "./plain-lists.ts";

const ANN = "ann-0123456789abcdef";
const BOB = "bob-0123456789abcdef";
const OPS = "ops-0123456789abcdef";
const KEY = "0123456789abcdef0123456789abcdef";

interface Asked {
  readonly token?: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface UsageShown {
  readonly totals: { readonly events: number };
  readonly noMatch: readonly { readonly query: string }[];
  readonly feedback: readonly { readonly comments: readonly { readonly text: string }[] }[];
  readonly clients: readonly { readonly name: string; readonly events: number }[];
  readonly callers: readonly { readonly name: string; readonly events: number }[];
}

/** The dashboard of a server with three tokens, or with a key and no tokens. */
async function openDashboard(access: "tokens" | "key", limits: Partial<HttpLimits> = {}) {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf", { description: "Reads PDF files." });
  sandbox.write("library/deploy.md", "---\ndescription: Deploys.\nkeywords: [deploy]\n---\n\nText.\n");
  sandbox.write("web/index.html", "<p>page");
  const tokenFile = sandbox.write("tokens", `ann:${ANN}\nbob:${BOB}\nops:${OPS}:skills:admin\n`);
  const files = await createDashboardFiles(sandbox.path("web"));
  const key = access === "key" ? KEY : undefined;
  const auth = access === "key" ? {} : { auth: { tokenFile, oauth: undefined } };
  const opened = await openHttp(sandbox, {
    ...auth,
    app: {
      library: sandbox.path("library"),
      usage: { endpoint: undefined, context: "full", history: true },
    },
    http: { limits },
    page: (services) => createDashboard({ services, files, lists: plainLists(), start: START, key }),
  });
  const ask = (
    path: string,
    { token, method = "GET", body, headers = {} }: Asked = {},
  ): Promise<Response> => {
    const ended = new AbortController();
    onTestFinished(() => ended.abort());
    return fetch(`${opened.url}/api/v1/${path}`, {
      method,
      signal: ended.signal,
      headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };
  return { ...opened, ask, sandbox };
}

describe("usage", () => {
  test("S15: /api/v1/usage shows own events only, or everyone's with skills:admin", async () => {
    const { url, ask } = await openDashboard("tokens");
    for (const [name, token] of [
      ["ann", ANN],
      ["bob", BOB],
    ] as const) {
      for (const way of ["2025-11-25", "2026-07-28"] as const) {
        const { client } = await connectHttp(url, way, { token });
        await client.callTool({ name: "get_skill", arguments: { context: `secret of ${name} ${way}` } });
        await client.callTool({ name: "skill", arguments: { name: `no-such-${name}` } });
      }
      const { client } = await connectHttp(url, "sse", { token });
      const comment = `comment of ${name}`;
      await client.callTool({
        name: "report_usage",
        arguments: { skill_path: "deploy", useful: true, comment },
      });
    }
    const usageOf = async (token: string): Promise<UsageShown> =>
      (await (await ask("usage", { token })).json()) as UsageShown;
    await waitUntil("all is in the history", async () => (await usageOf(OPS)).totals.events === 10);
    for (const [name, other, token] of [
      ["ann", "bob", ANN],
      ["bob", "ann", BOB],
    ] as const) {
      const own = await usageOf(token);
      expect(own.totals.events).toBe(5);
      expect(own.callers).toMatchObject([{ name, events: 5 }]);
      expect(own.clients).toMatchObject([{ name: "test", events: 5 }]);
      expect(own.noMatch.map(({ query }) => query).sort()).toEqual([
        `no-such-${name}`,
        `secret of ${name} 2025-11-25`,
        `secret of ${name} 2026-07-28`,
      ]);
      expect(own.feedback.flatMap(({ comments }) => comments.map(({ text }) => text))).toEqual([
        `comment of ${name}`,
      ]);
      for (const path of ["usage", "skill?name=library:deploy", "skill?name=pdf", "health"])
        expect(await (await ask(path, { token })).text()).not.toMatch(
          new RegExp(`(?:secret|comment) of ${other}`),
        );
    }
    const all = await usageOf(OPS);
    expect(all.noMatch).toHaveLength(6);
    expect(all.clients).toMatchObject([{ name: "test", events: 10 }]);
    expect(all.callers).toMatchObject([
      { name: "ann", events: 5 },
      { name: "bob", events: 5 },
    ]);
  });

  test("without tokens there is one user, who sees everything, with or without the key", async () => {
    const { url, ask } = await openDashboard("key");
    const { client } = await connectHttp(url, "2025-11-25");
    await client.callTool({ name: "get_skill", arguments: { context: "rotate the keys" } });
    await waitUntil("it is in the history", async () =>
      (await (await ask("usage")).text()).includes("rotate the keys"),
    );
  });
});

describe("agents", () => {
  interface Shown {
    readonly agents: readonly { readonly client: string; readonly era: string; readonly caller?: string }[];
    readonly configured?: unknown;
  }

  test("/api/v1/overview shows own agents only, or everyone's with skills:admin", async () => {
    const { url, ask } = await openDashboard("tokens");
    for (const token of [ANN, BOB])
      for (const way of ["2025-11-25", "2026-07-28", "sse"] as const) {
        const { client } = await connectHttp(url, way, { token });
        await client.listTools();
      }
    const shownTo = async (token: string): Promise<Shown> =>
      (await (await ask("overview", { token })).json()) as Shown;
    const ofAnn = await shownTo(ANN);
    expect(ofAnn.agents.map(({ client, era, caller }) => `${client} ${era} ${caller}`).sort()).toEqual([
      "test legacy ann",
      "test modern ann",
    ]);
    // What is installed on the machine of a server is not for everyone who may read skills.
    expect(ofAnn.configured).toBeUndefined();
    const ofAll = await shownTo(OPS);
    expect(new Set(ofAll.agents.map(({ caller }) => caller))).toEqual(new Set(["ann", "bob"]));
    expect(ofAll.configured).toBeDefined();
  });
});

describe("limits of one caller", () => {
  const NEVER = { burst: 3, perSecond: 0.001 };

  test("S16: the API has the rate limits of MCP, and shares them", async () => {
    const rates = { "skills:read": NEVER, "skills:run": NEVER, "skills:admin": { ...NEVER, burst: 1 } };
    const { ask, url } = await openDashboard("tokens", { rates });
    const list = { jsonrpc: "2.0", id: 1, method: "ping" };
    const sent = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${ANN}`, "content-type": "application/json" },
      body: JSON.stringify(list),
    });
    expect(sent.status).not.toBe(429);
    expect([
      (await ask("skills", { token: ANN })).status,
      (await ask("health", { token: ANN })).status,
    ]).toEqual([200, 200]);
    for (const path of ["skills", "usage", "events", "nothing"]) {
      const refused = await ask(path, { token: ANN });
      expect([path, refused.status]).toEqual([path, 429]);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(100);
    }
    expect((await ask("skills", { token: BOB })).status).toBe(200);

    const change = { method: "POST", body: {}, headers: { "x-skills-mcp": "test" }, token: OPS };
    expect([(await ask("refresh", change)).status, (await ask("refresh", change)).status]).toEqual([
      200, 429,
    ]);
    expect((await ask("skills", { token: OPS })).status).toBe(200);
  });

  test("what is refused for its rate, its scope or its page is refused before its body is read", async () => {
    const rates = {
      "skills:read": { burst: 2, perSecond: 0.001 },
      "skills:run": NEVER,
      "skills:admin": NEVER,
    };
    const { url } = await openDashboard("tokens", { rates });
    const head = (path: string, token: string): string =>
      `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;
    // None of them sends a byte of its body.
    expect(await firstLine(url, head("/api/v1/refresh", ANN))).toContain(" 403 ");
    expect(await firstLine(url, head("/api/v1/nothing", ANN))).toContain(" 404 ");
    expect(await firstLine(url, head("/api/v1/refresh", ANN))).toContain(" 429 ");
    expect(await firstLine(url, head("/mcp", ANN))).toContain(" 429 ");
    expect(await firstLine(url, head("/api/v1/refresh", OPS))).toContain(" 403 ");
  });

  test("S16: one caller cannot take every event stream", async () => {
    const { ask } = await openDashboard("tokens", { sessionsPerSubject: 3 });
    const open = async (token: string): Promise<number> => (await ask("events", { token })).status;
    expect([await open(ANN), await open(ANN), await open(ANN), await open(ANN)]).toEqual([
      200, 200, 200, 503,
    ]);
    expect(await open(BOB)).toBe(200);
  });

  test.each(["/mcp", "/api/v1/feedback"])(
    "one caller cannot hold more than so many slow bodies, %s",
    async (path) => {
      const { url, ask } = await openDashboard("tokens", { bodiesPerSubject: 2, bodies: 3 });
      const { hostname, port, host } = new URL(url);
      const slow = (token: string) => {
        const socket = connect(Number(port), hostname);
        socket.on("error", () => {});
        onTestFinished(() => void socket.destroy());
        let answer = "";
        socket.setEncoding("utf8").on("data", (text: string) => {
          answer += text;
        });
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nX-Skills-MCP: test\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
        );
        return { socket, answer: () => answer };
      };
      const held = [slow(OPS), slow(OPS)];
      const third = slow(OPS);
      await waitUntil("one of the three is refused", () =>
        [...held, third].some(({ answer }) => answer() !== ""),
      );
      const refused = [...held, third].filter(({ answer }) => answer() !== "");
      expect(refused).toHaveLength(1);
      expect(refused[0]?.answer()).toContain(" 503 ");
      expect(refused[0]?.answer()).toContain("limit of 2 unfinished requests");
      // Others are served, and so is the caller once the bodies are gone.
      expect((await ask("skills", { token: BOB })).status).toBe(200);
      for (const { socket } of [...held, third]) socket.destroy();
      const change = { method: "POST", headers: { "x-skills-mcp": "test" }, token: OPS };
      await waitUntil("the caller is served again", async () => {
        const answer = await ask("feedback", { ...change, body: { skill: "pdf", useful: true } });
        return answer.status === 200;
      });
    },
  );
});

describe("pages of other sites", () => {
  test("S17: API answers carry CORP, whatever they are", async () => {
    const { ask, url } = await openDashboard("tokens");
    const answers = [
      await ask("skills", { token: ANN }),
      await ask("events", { token: ANN }),
      await ask("file?name=pdf&path=nothing", { token: ANN }),
      await ask("refresh", { token: ANN, method: "POST", body: {} }),
      await ask("skills"),
      await ask("skills", { token: ANN, headers: { "sec-fetch-site": "cross-site" } }),
      await fetch(`${url}/readyz`),
      await fetch(`${url}/`),
    ];
    expect(answers.slice(0, 6).map(({ status }) => status)).toEqual([200, 200, 404, 403, 401, 403]);
    for (const { headers } of answers)
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  });

  test.each([
    ["same-origin", 200],
    ["none", 200],
    ["cross-site", 403],
    ["same-site", 403],
    ["something-new", 403],
  ])("S17: the API answers `Sec-Fetch-Site: %s` with %d", async (site, status) => {
    const { ask, url } = await openDashboard("key");
    const headers = { "sec-fetch-site": site };
    for (const path of ["skills", "usage", "skill?name=pdf"])
      expect([path, (await ask(path, { headers })).status]).toEqual([path, status]);
    expect((await fetch(`${url}/.well-known/agent-skills/index.json`, { headers })).status).toBe(status);
    // A link on another site may open the page, which has no secrets.
    expect((await fetch(`${url}/`, { headers })).status).toBe(200);
  });

  test("a cross-site image cannot open an MCP session; a page with a known origin still can", async () => {
    const { url } = await openDashboard("key");
    const headers = { "sec-fetch-site": "cross-site" };
    expect((await fetch(`${url}/mcp`, { headers })).status).toBe(403);
    const ended = new AbortController();
    onTestFinished(() => ended.abort());
    const known = { ...headers, origin: "http://localhost:6274" };
    expect((await fetch(`${url}/mcp`, { headers: known, signal: ended.signal })).status).toBe(200);
  });
});

describe("changes on a server without tokens", () => {
  const WRITES = [
    ["skills/disable", { name: "pdf" }],
    ["skills/enable", { name: "pdf" }],
    ["refresh", {}],
    ["feedback", { skill: "pdf", useful: true }],
  ] as const;

  test("S17: anonymous writes on loopback need the key of the address that serve prints; reads stay open", async () => {
    const { ask } = await openDashboard("key");
    const session = async (headers: Readonly<Record<string, string>> = {}): Promise<unknown> =>
      (await ask("session", { headers })).json();
    expect(await session()).toMatchObject({
      needsKey: true,
      start: START,
      scopes: ["skills:read", "skills:run"],
    });
    expect(await session({ "x-skills-mcp-key": KEY })).not.toHaveProperty("needsKey");
    for (const path of ["skills", "skill?name=pdf", "search?q=pdf", "health", "usage", "findings", "events"])
      expect([path, (await ask(path)).status]).toEqual([path, 200]);

    for (const [path, body] of WRITES) {
      for (const key of [undefined, "", KEY.slice(1), `${KEY}0`, KEY.toUpperCase(), "f".repeat(32)]) {
        const headers = { "x-skills-mcp": "test", ...(key === undefined ? {} : { "x-skills-mcp-key": key }) };
        const refused = await ask(path, { method: "POST", body, headers });
        expect([path, refused.status]).toEqual([path, 403]);
        expect(await refused.json()).toMatchObject({ error: { code: "key-required" } });
      }
      const headers = { "x-skills-mcp": "test", "x-skills-mcp-key": KEY };
      expect([path, (await ask(path, { method: "POST", body, headers })).status]).toEqual([path, 200]);
    }
  });

  test("the key does not replace the check of the page that sends it", async () => {
    const { ask } = await openDashboard("key");
    const sent = (headers: Readonly<Record<string, string>>) =>
      ask("refresh", { method: "POST", body: {}, headers: { "x-skills-mcp-key": KEY, ...headers } });
    expect((await sent({})).status).toBe(403);
    expect((await sent({ "x-skills-mcp": "test", origin: "http://localhost:5173" })).status).toBe(403);
  });

  test("with tokens, the scope decides and there is no key", async () => {
    const { ask } = await openDashboard("tokens");
    const change = { method: "POST", body: {}, headers: { "x-skills-mcp": "test" } };
    expect((await ask("refresh", { ...change, token: OPS })).status).toBe(200);
    const refused = await ask("refresh", {
      ...change,
      token: ANN,
      headers: { ...change.headers, "x-skills-mcp-key": KEY },
    });
    expect(await refused.json()).toMatchObject({ error: { code: "insufficient-scope" } });
  });

  test("MCP needs no key", async () => {
    const { url } = await openDashboard("key");
    const { client } = await connectHttp(url, "2025-11-25");
    expect((await client.callTool({ name: "refresh_skills", arguments: {} })).isError).not.toBe(true);
  });
});

/** The first line of the answer to a request of which only the head is sent. */
function firstLine(url: string, head: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(head));
    onTestFinished(() => void socket.destroy());
    socket.setEncoding("utf8").once("data", (text: string) => resolve(text.split("\r\n")[0] ?? ""));
    socket.once("error", reject);
  });
}
