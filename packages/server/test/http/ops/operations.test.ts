import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { McpServer, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { connectHttp } from "../../../../../test/support/connect-http.ts";
import {
  modernHeaders,
  modernRequest,
  openSession,
  post,
} from "../../../../../test/support/http-requests.ts";
import { createSandbox, skillText } from "../../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../../test/support/wait-until.ts";
import type { DashboardPage } from "../../../src/http/server/options.ts";
import type { ServerFactory } from "../../../src/http/transports/sessions.ts";
import { openHttp } from "../../open-http.ts";

interface Index {
  readonly $schema: string;
  readonly skills: readonly {
    name: string;
    description: string;
    url: string;
    digest: string;
    type: string;
  }[];
}

describe("probes", () => {
  test("readiness tells what is served", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const { url } = await openHttp(sandbox);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await waitUntil("it is ready", async () => (await fetch(`${url}/readyz`)).status === 200);
    const body: unknown = await (await fetch(`${url}/readyz`)).json();
    expect(body).toMatchObject({ ready: true, skills: 1, git: [], draining: false });
  });

  test("metrics count requests, sessions, streams and skills, and only by names that we chose", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const { url } = await openHttp(sandbox);
    await connectHttp(url, "2025-11-25");
    for (let index = 0; index < 20; index++) await fetch(`${url}/random-${index}`);
    const text = async (): Promise<string> => (await fetch(`${url}/metrics`)).text();
    await waitUntil("the stream is counted", async () => (await text()).includes("skills_mcp_streams 1"));
    const metrics = await text();
    expect(metrics).toContain('skills_mcp_skills{provider="claude"} 1');
    expect(metrics).toContain("skills_mcp_sessions 1");
    expect(metrics).toContain('skills_mcp_http_requests_total{route="other",status="404"} 20');
    expect(metrics).toMatch(/skills_mcp_refreshes_total [1-9]/);
    expect(metrics).not.toContain("random");
  });

  test("the API of the dashboard is not counted as its page", async () => {
    const page: DashboardPage = {
      isOpen: () => true,
      serve: ({ response }) => void response.end(),
      close: () => {},
    };
    const { url } = await openHttp(createSandbox(), { page: () => () => page });
    for (const path of ["/", "/api/v1/skills"]) await fetch(`${url}${path}`);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('skills_mcp_http_requests_total{route="page",status="200"} 1');
    expect(metrics).toContain('skills_mcp_http_requests_total{route="api",status="200"} 1');
  });

  test("what came through a proxy gets neither metrics nor details", async () => {
    const { url } = await openHttp(createSandbox());
    const headers = { "x-forwarded-for": "203.0.113.7" };
    expect((await fetch(`${url}/metrics`, { headers })).status).toBe(403);
    const body = (await (await fetch(`${url}/readyz`, { headers })).json()) as object;
    expect(Object.keys(body).sort()).toEqual(["ready", "skills"]);
  });
});

describe("probes where tokens are on", () => {
  const TOKENS = "ann:ann-0123456789abcdef\nops:ops-0123456789abcdef:skills:admin\n";
  const bearer = (name: string) => ({ headers: { authorization: `Bearer ${name}-0123456789abcdef` } });

  test("S17: /metrics and the details of /readyz need a token, from this machine too", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const tokenFile = sandbox.write("tokens", TOKENS);
    const { url } = await openHttp(sandbox, { auth: { tokenFile, oauth: undefined } });
    await waitUntil("it is ready", async () => (await fetch(`${url}/readyz`)).status === 200);
    const metrics = async (init: RequestInit = {}) => {
      const answer = await fetch(`${url}/metrics`, init);
      return {
        status: answer.status,
        wants: answer.headers.get("www-authenticate"),
        text: await answer.text(),
      };
    };
    expect(await metrics()).toMatchObject({
      status: 401,
      wants: expect.stringContaining("Bearer") as string,
    });
    expect(await metrics(bearer("eve"))).toMatchObject({ status: 401 });
    const wants = expect.stringContaining('scope="skills:admin"') as string;
    expect(await metrics(bearer("ann"))).toMatchObject({ status: 403, wants });
    expect((await metrics(bearer("ops"))).text).toContain("skills_mcp_sessions 0");

    const details = async (init: RequestInit = {}): Promise<unknown> =>
      (await fetch(`${url}/readyz`, init)).json();
    for (const init of [{}, bearer("eve"), bearer("ann")])
      expect(await details(init)).toEqual({ ready: true, skills: 1 });
    expect(await details(bearer("ops"))).toMatchObject({ ready: true, skills: 1, git: [], draining: false });
  });
});

describe("the index of skills", () => {
  test("lists every skill under a plain name with the digest of the file, and serves the file byte for byte", async () => {
    const sandbox = createSandbox();
    const file = sandbox.write(
      "project/.claude/skills/pdf/SKILL.md",
      `\uFEFF${skillText("pdf", "Reads é.", "Tëxt\r\n")}`,
    );
    sandbox.skill("project/.claude/skills/odd", { name: "Odd Name" });
    sandbox.skill("project/.claude/skills/twin");
    sandbox.skill("project/.codex/skills/twin");
    const { url, services } = await openHttp(sandbox);
    const read = async (): Promise<Index> =>
      (await (await fetch(`${url}/.well-known/agent-skills/index.json`)).json()) as Index;
    const digestOf = (bytes: Uint8Array): string =>
      `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

    const { skills, $schema } = await read();
    expect($schema).toContain("discovery/0.2.0");
    expect(skills.map(({ name }) => name)).toEqual(["pdf", "odd-name", "claude-twin", "codex-twin"]);
    expect(skills[0]?.digest).toBe(digestOf(readFileSync(file)));
    const served = await fetch(new URL(skills[0]?.url ?? "", `${url}/.well-known/agent-skills/index.json`));
    expect(served.headers.get("content-type")).toContain("text/markdown");
    expect(digestOf(new Uint8Array(await served.arrayBuffer()))).toBe(skills[0]?.digest);

    writeFileSync(file, skillText("pdf", "Reads é.", "Other body, same head."));
    await services.skills.refresh();
    expect((await read()).skills[0]?.digest).toBe(digestOf(readFileSync(file)));
  });

  test("a plugin's skill keeps its name if no other has it, and a description that is too long is cut", async () => {
    const sandbox = createSandbox();
    for (const name of ["docx", "pdf"]) sandbox.skill(`home/.claude/plugins/cache/office/skills/${name}`);
    const plugins = { "office@market": [{ installPath: "cache/office" }] };
    sandbox.write("home/.claude/plugins/installed_plugins.json", JSON.stringify({ version: 2, plugins }));
    sandbox.skill("project/.claude/skills/another-folder", { name: "pdf", body: "The plain one.\n" });
    sandbox.skill("project/.claude/skills/wordy", { description: "word ".repeat(300) });
    const { url } = await openHttp(sandbox);
    const { skills } = (await (await fetch(`${url}/.well-known/agent-skills/index.json`)).json()) as Index;
    expect(skills.map(({ name }) => name).sort()).toEqual(["docx", "office-pdf", "pdf", "wordy"]);
    for (const { name, url: address } of skills) {
      expect(address).toBe(`${name}/SKILL.md`);
      const served = await fetch(`${url}/.well-known/agent-skills/${address}`);
      expect(await served.text()).toContain(`name: ${name.replace("office-", "")}\n`);
    }
    expect(await (await fetch(`${url}/.well-known/agent-skills/pdf/SKILL.md`)).text()).toContain(
      "The plain one.",
    );
    expect(skills.find(({ name }) => name === "wordy")?.description.length).toBeLessThanOrEqual(1_024);
  });

  test("what is not in it is not found", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const { url } = await openHttp(sandbox);
    for (const path of [
      "nope/SKILL.md",
      "pdf/other.md",
      "pdf",
      "",
      "..%2fpdf/SKILL.md",
      "pdf/../pdf/SKILL.md/x",
    ]) {
      expect((await fetch(`${url}/.well-known/agent-skills/${path}`)).status).toBe(404);
    }
    expect((await post(`${url}/.well-known/agent-skills/index.json`, {})).status).toBe(405);
    const head = await fetch(`${url}/.well-known/agent-skills/pdf/SKILL.md`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });
});

test("there is nothing for people unless it is asked for", async () => {
  const { url } = await openHttp(createSandbox());
  expect((await fetch(`${url}/`)).status).toBe(404);
});

describe("the end", () => {
  test("lets what runs finish, ends streams, and takes nothing new", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const slow = deferred();
    const begun = deferred();
    const { server, url } = await openHttp(sandbox, {
      http: {
        limits: { drainMs: 10_000 },
        page: pageThat(async ({ response }) => {
          begun.resolve();
          await slow.promise;
          response.end("done");
        }),
      },
    });
    const session = await openSession(url);
    const stream = fetch(`${url}/mcp`, {
      headers: { "mcp-session-id": session, accept: "text/event-stream" },
    });
    const listening = (await stream).text();
    const subscription = await post(
      `${url}/mcp`,
      modernRequest(9, "subscriptions/listen", { notifications: { toolsListChanged: true } }),
      modernHeaders("subscriptions/listen"),
    );
    expect(subscription.headers.get("content-type")).toContain("text/event-stream");
    const running = fetch(`${url}/slow`);
    await begun.promise;
    const closed = server.close();
    // Both end by themselves while the request still runs.
    await Promise.all([listening, subscription.text()]);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    slow.resolve();
    expect(await (await running).text()).toBe("done");
    await closed;
  });

  /** A server whose only tool answers when it is told to. */
  async function openSlow(limits: { readonly drainMs: number }) {
    const slow = deferred();
    let calls = 0;
    const factory: ServerFactory = () => {
      const supportedProtocolVersions = [...SUPPORTED_PROTOCOL_VERSIONS, "2026-07-28"];
      const options = { capabilities: { tools: {} }, supportedProtocolVersions };
      const mcp = new McpServer({ name: "slow", version: "1" }, options);
      mcp.registerTool("wait", {}, async () => {
        calls++;
        await slow.promise;
        return { content: [{ type: "text", text: "answered" }] };
      });
      return mcp;
    };
    const opened = await openHttp(createSandbox(), { http: { limits, factory } });
    const begun = (count: number) => waitUntil("the calls are in progress", () => calls === count);
    return { ...opened, slow, begun };
  }
  const WAIT = { name: "wait", arguments: {} };
  const legacyCall = { jsonrpc: "2.0", id: 2, method: "tools/call", params: WAIT };

  test.each(["2025-11-25", "2026-07-28"])("gives a call of %s its time", async (era) => {
    const { server, url, slow, begun } = await openSlow({ drainMs: 10_000 });
    const running =
      era === "2025-11-25"
        ? post(`${url}/mcp`, legacyCall, {
            "mcp-session-id": await openSession(url),
            "mcp-protocol-version": era,
          })
        : post(`${url}/mcp`, modernRequest(2, "tools/call", WAIT), modernHeaders("tools/call", "wait"));
    await begun(1);
    const closed = server.close();
    await untilDraining(url);
    slow.resolve();
    expect(await (await running).text()).toContain('"answered"');
    await closed;
  });

  test("gives a call its time whose client has come back for the answer", async () => {
    const { server, url, slow, begun } = await openSlow({ drainMs: 10_000 });
    const headers = { "mcp-session-id": await openSession(url), "mcp-protocol-version": "2025-11-25" };
    const abort = new AbortController();
    const broken = await post(`${url}/mcp`, legacyCall, headers, abort.signal);
    await begun(1);
    const first = await broken.body?.getReader().read();
    const [, lastEventId = ""] = /^id: (.+)$/m.exec(Buffer.from(first?.value ?? []).toString()) ?? [];
    abort.abort();
    const resumed = await fetch(`${url}/mcp`, {
      headers: { ...headers, accept: "text/event-stream", "last-event-id": lastEventId },
    });
    const closed = server.close();
    await untilDraining(url);
    slow.resolve();
    expect(await resumed.text()).toContain('"answered"');
    await closed;
  });

  test("tells calls that take too long, in both eras", async () => {
    const { server, url, begun } = await openSlow({ drainMs: 100 });
    const legacy = post(`${url}/mcp`, legacyCall, { "mcp-session-id": await openSession(url) });
    const modern = post(
      `${url}/mcp`,
      modernRequest(3, "tools/call", WAIT),
      modernHeaders("tools/call", "wait"),
    );
    await begun(2);
    await server.close();
    expect(await (await legacy).text()).toContain(
      'data: {"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"The session ended before the request was answered."}}\n',
    );
    const answer = await modern;
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { jsonrpc: "2.0", id: 3, error: { code: -32_000, message: "The server is shutting down." } },
    ]);
  });

  test("does not wait for ever", async () => {
    const begun = deferred();
    const page = pageThat(() => {
      begun.resolve();
      return new Promise(() => {});
    });
    const { server, url } = await openHttp(createSandbox(), { http: { limits: { drainMs: 50 }, page } });
    const running = fetch(`${url}/never`).then(
      () => "answered",
      () => "cut",
    );
    await begun.promise;
    await server.close();
    expect(await running).toBe("cut");
  });
});

/** Until nothing new is accepted; a connection from before may still ask. */
function untilDraining(url: string): Promise<void> {
  return waitUntil("the server is draining", () =>
    fetch(`${url}/readyz`).then(
      async (answer) => ((await answer.json()) as { draining?: boolean }).draining === true,
      () => true,
    ),
  );
}

function pageThat(serve: DashboardPage["serve"]): () => DashboardPage {
  return () => ({ serve, isOpen: () => false, close() {} });
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
