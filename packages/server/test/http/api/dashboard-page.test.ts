import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox, type Sandbox } from "../../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../../test/support/wait-until.ts";
import { createDashboardFiles } from "../../../src/http/api/dashboard-files.ts";
import { createDashboard } from "../../../src/http/api/dashboard-page.ts";
import { type OpenHttpOptions, openHttp } from "../../open-http.ts";
import { openApi } from "./open-api.ts";
import { plainLists, START } from "./plain-lists.ts";

/** A real server whose page is the dashboard, with a stand-in for what the build makes. */
async function openPage(sandbox: Sandbox, options: OpenHttpOptions & { readonly key?: string } = {}) {
  sandbox.write("web/index.html", "<p>page");
  const files = await createDashboardFiles(sandbox.path("web"));
  const { services } = openApi(sandbox);
  const page = createDashboard({ services, files, lists: plainLists(), start: START, key: options.key });
  const { url, server } = await openHttp(sandbox, { ...options, http: { ...options.http, page } });
  return { services, url, server };
}

describe("the dashboard on a server", () => {
  test("shows the page at /, the API below /api/v1, and MCP where it was", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const { url } = await openPage(sandbox);
    const page = await fetch(`${url}/`);
    expect([page.status, await page.text()]).toEqual([200, "<p>page"]);
    expect(await (await fetch(`${url}/api/v1/skills`)).json()).toMatchObject({ count: 1, name: ["pdf"] });
    const head = await fetch(`${url}/`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await fetch(`${url}/`, { method: "POST" })).status).toBe(405);
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
    expect((await fetch(`${url}/mcp`, { method: "PUT" })).status).toBe(405);
  });

  test("compresses what is large", async () => {
    const sandbox = createSandbox();
    for (let number = 0; number < 60; number++) sandbox.skill(`project/.claude/skills/skill-${number}`);
    const { url } = await openPage(sandbox);
    const answer = await fetch(`${url}/api/v1/skills`);
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect(await answer.json()).toMatchObject({ count: 60 });
  });

  test("tells open pages of a change, and ends with the server", async () => {
    const sandbox = createSandbox();
    const { services, url, server } = await openPage(sandbox, { http: { limits: { drainMs: 20_000 } } });
    const changes = async (): Promise<number> =>
      ((await (await fetch(`${url}/api/v1/session`)).json()) as { readonly changes: number }).changes;
    const atFirst = await changes();
    // Before the page listens: it finds out by the number.
    sandbox.skill("project/.claude/skills/early");
    await waitUntil("the change is counted", async () => (await changes()) > atFirst);
    const stream = await fetch(`${url}/api/v1/events`);
    expect(stream.headers.get("content-type")).toBe("text/event-stream");
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    const [, told] =
      /^event: ready\ndata: {"changes":(\d+)}\n\n$/.exec((await reader?.read())?.value ?? "") ?? [];
    expect(Number(told)).toBeGreaterThan(atFirst);
    sandbox.skill("project/.claude/skills/pdf");
    await services.skills.refresh();
    // A file that was written a moment ago may count as changed twice.
    expect((await reader?.read())?.value).toMatch(/^(?:event: skills\ndata: {}\n\n)+$/);
    const closed = server.close();
    while ((await reader?.read())?.done === false);
    await closed;
  });

  test("gives the page to anyone, and what it shows to those with a token", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const tokenFile = sandbox.write("tokens", "ann:reads-only-0123456789\nbob:may-all-0123456789abc:admin\n");
    const { url } = await openPage(sandbox, { auth: { tokenFile, oauth: undefined } });
    const statusOf = async (path: string, token?: string, init: RequestInit = {}): Promise<number> => {
      const headers = {
        "x-skills-mcp": "test",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      };
      const ended = new AbortController();
      onTestFinished(() => ended.abort());
      return (await fetch(`${url}${path}`, { headers, signal: ended.signal, ...init })).status;
    };
    expect(await statusOf("/")).toBe(200);
    for (const path of ["skills", "skill?name=pdf", "health", "usage", "events", "nothing"])
      expect([path, await statusOf(`/api/v1/${path}`)]).toEqual([path, 401]);
    expect(await statusOf("/api/v1/skills", "reads-only-0123456789")).toBe(200);
    expect(await statusOf("/api/v1/events", "reads-only-0123456789")).toBe(200);
    const refresh = { method: "POST", body: "{}" };
    expect(await statusOf("/api/v1/refresh", "reads-only-0123456789", refresh)).toBe(403);
    expect(await statusOf("/api/v1/refresh", "may-all-0123456789abc", refresh)).toBe(200);
  });

  test("takes no more than a little, and only JSON", async () => {
    const { url } = await openPage(createSandbox(), { http: { limits: { bodyBytes: 1000 } } });
    const send = (body: string) =>
      fetch(`${url}/api/v1/feedback`, { method: "POST", body, headers: { "x-skills-mcp": "test" } }).then(
        ({ status }) => status,
      );
    expect(await send(JSON.stringify({ comment: "x".repeat(2000) }))).toBe(413);
    expect(await send("{")).toBe(400);
  });

  test("is not for pages of other hosts", async () => {
    const { url } = await openPage(createSandbox());
    const headers = { origin: "https://evil.example.com", "x-skills-mcp": "test" };
    const answer = await fetch(`${url}/api/v1/refresh`, { method: "POST", body: "{}", headers });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });
});
