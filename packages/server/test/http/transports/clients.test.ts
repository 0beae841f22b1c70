import { writeFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectHttp, WAYS } from "../../../../../test/support/connect-http.ts";
import { INITIALIZE, metric, openSession, post } from "../../../../../test/support/http-requests.ts";
import { markedProcesses, withScripts } from "../../../../../test/support/library.ts";
import { createSandbox, DISK_FOLDER, skillText } from "../../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../../test/support/wait-until.ts";
import { openHttp } from "../../open-http.ts";

describe.each(WAYS)("a real client, %s", (way) => {
  test("lists and loads", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf", { body: "Use a reader.\n" });
    const { url } = await openHttp(sandbox);
    const { client } = await connectHttp(url, way);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["skill"]);
    expect(tools[0]?.description).toContain("<name>pdf</name>");
    const loaded = await client.callTool({ name: "skill", arguments: { name: "pdf" } });
    expect(JSON.stringify(loaded.content)).toContain("Use a reader.");
  });

  test("is told of a change on the disk, and so is everyone else", async () => {
    const sandbox = createSandbox();
    const file = sandbox.skill("project/.claude/skills/pdf");
    const { services, url } = await openHttp(sandbox);
    // What changes before the first look at the disk is no change.
    await services.skills.snapshot();
    const [first, second] = await Promise.all([connectHttp(url, way), connectHttp(url, way)]);
    if (way === "2025-11-25") {
      // The stream that carries notices opens behind the handshake.
      await waitUntil("both listen", async () => (await metric(url, "skills_mcp_streams")) === 2);
    }
    writeFileSync(file, skillText("pdf", "Reads other files now."));
    await waitUntil("both were told", () => first.announced() > 0 && second.announced() > 0);
    const { tools } = await second.client.listTools(undefined, { cacheMode: "refresh" });
    expect(tools[0]?.description).toContain("Reads other files now.");
  });

  test("is told of a file that comes to a skill's folder, and only that the files changed", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    // With the first file of any skill, the tools change too.
    sandbox.write("project/.claude/skills/pdf/guide.md", "Guide.\n");
    const { services, url } = await openHttp(sandbox, { app: { watch: false } });
    await services.skills.snapshot();
    const { client, announced, filesAnnounced } = await connectHttp(url, way);
    await waitUntil("it listens", async () => (await metric(url, "skills_mcp_streams")) === 1);
    sandbox.write("project/.claude/skills/pdf/forms.md", "Forms.\n");
    await services.skills.refresh();
    await waitUntil("it is told", () => filesAnnounced() === 1);
    const { resources } = await client.listResources(undefined, { cacheMode: "refresh" });
    expect(resources.map(({ uri }) => uri)).toContain("skill://claude/pdf/forms.md");
    expect([announced(), filesAnnounced()]).toEqual([0, 1]);
  });

  test("a refusal is an answer, and bad arguments are -32602", async () => {
    const { url } = await openHttp(createSandbox());
    const { client } = await connectHttp(url, way);
    const answer = await client.callTool({ name: "skill", arguments: { name: "nothing" } });
    expect(answer.isError).toBe(true);
    await expect(client.callTool({ name: "skill", arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });
});

describe("HTTP+SSE", () => {
  test("has an address of its own, for clients that name a version", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const { url } = await openHttp(sandbox);
    const { client } = await connectHttp(url, "sse", { path: "/sse" });
    expect((await client.listTools()).tools).toHaveLength(1);
  });

  test("can be all that is served", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const { url } = await openHttp(sandbox, { http: { sseOnly: true } });
    const { client } = await connectHttp(url, "sse");
    expect((await client.listTools()).tools).toHaveLength(1);
    await expect(connectHttp(url, "2025-11-25")).rejects.toThrow();
  });

  test("the first event names the address for messages, with what a proxy cuts off", async () => {
    const { url } = await openHttp(createSandbox(), {
      http: { publicUrl: new URL("https://skills.example.com/team/") },
    });
    const abort = new AbortController();
    const answer = await fetch(`${url}/mcp`, { signal: abort.signal });
    const { value } = (await answer.body?.getReader().read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toMatch(
      /^event: endpoint\ndata: \/team\/messages\?sessionId=[\w-]{32}\n\n$/,
    );
    abort.abort();
  });

  test("answers a batch, message by message", async () => {
    const { url } = await openHttp(createSandbox());
    const abort = new AbortController();
    onTestFinished(() => abort.abort());
    const stream = await fetch(`${url}/sse`, { signal: abort.signal });
    let text = "";
    void (async () => {
      for await (const chunk of stream.body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
    })().catch(() => {});
    await waitUntil("the address is there", () => text.includes("sessionId="));
    const [, address = ""] = /^data: (.+)$/m.exec(text) ?? [];
    await post(`${url}${address}`, INITIALIZE);
    const pings = [2, 3].map((id) => ({ jsonrpc: "2.0", id, method: "ping" }));
    expect((await post(`${url}${address}`, pings)).status).toBe(202);
    await waitUntil("both are answered", () => text.includes('"id":2') && text.includes('"id":3'));
  });

  test("a malformed `initialize` is -32602 in one sentence", async () => {
    const { url } = await openHttp(createSandbox());
    const abort = new AbortController();
    onTestFinished(() => abort.abort());
    const stream = await fetch(`${url}/sse`, { signal: abort.signal });
    const { value } = (await stream.body?.getReader().read()) ?? {};
    const [, address = ""] = /^data: (.+)$/m.exec(Buffer.from(value ?? []).toString()) ?? [];
    for (const path of ["/mcp", address]) {
      const params = { protocolVersion: "2025-03-26", capabilities: {} };
      const answer = await post(`${url}${path}`, { jsonrpc: "2.0", id: 7, method: "initialize", params });
      expect([answer.status, await answer.json()]).toEqual([
        400,
        {
          jsonrpc: "2.0",
          id: 7,
          error: {
            code: -32602,
            message:
              "Invalid params of initialize: clientInfo must be an object with the strings name and version.",
          },
        },
      ]);
    }
  });

  test("answers a batch of 2025-03-26 in a session of Streamable HTTP", async () => {
    const { url } = await openHttp(createSandbox());
    const headers = { "mcp-session-id": await openSession(url), "mcp-protocol-version": "2025-03-26" };
    const pings = [2, 3].map((id) => ({ jsonrpc: "2.0", id, method: "ping" }));
    const answer = await post(`${url}/mcp`, pings, headers);
    const text = await answer.text();
    expect(text).toContain('"id":2');
    expect(text).toContain('"id":3');
  });

  test("a stream that is never initialised is dropped", async () => {
    const { url } = await openHttp(createSandbox(), { http: { limits: { uninitialisedMs: 50 } } });
    const answer = await fetch(`${url}/mcp`);
    // Ends by itself.
    expect(await answer.text()).toContain("event: endpoint");
    expect(await metric(url, "skills_mcp_sessions")).toBe(0);
  });
});

async function openLibrary(scripts: Readonly<Record<string, string>>) {
  // Not in memory: a sandbox has a /dev of its own.
  const sandbox = createSandbox(DISK_FOLDER);
  for (const [file, text] of Object.entries(withScripts(scripts))) sandbox.write(`library/${file}`, text);
  return openHttp(sandbox, { app: { library: sandbox.path("library") } });
}

describe.each(WAYS)("long work over HTTP, %s", (way) => {
  test.runIf(process.platform === "linux")(
    "a script tells its lines as they come, and ends with what it started when it is cancelled",
    async () => {
      const { url } = await openLibrary({ "wait.sh": "sleep 61 &\necho started\nwait\n" });
      const { client } = await connectHttp(url, way);
      const mark = `http-${way}-${process.pid}-${Date.now()}`;
      const abort = new AbortController();
      const lines: string[] = [];
      const run = { skill_path: "s", file: "wait.sh", args: { mark } };
      const answer = client
        .callTool(
          { name: "run_script", arguments: run },
          { signal: abort.signal, onprogress: ({ message = "" }) => void lines.push(message) },
        )
        .catch((error: unknown) => error);
      await waitUntil("the script runs", () => lines.includes("started"));
      expect(markedProcesses(mark)).not.toEqual([]);
      abort.abort("enough");
      expect(await answer).toBeInstanceOf(Error);
      await waitUntil("nothing of it is left", () => markedProcesses(mark).length === 0);
      expect((await client.listTools()).tools.length).toBeGreaterThan(1);
    },
  );
});

test.each(["2025-11-25", "2026-07-28"] as const)("a refresh tells its steps, %s", async (way) => {
  const { url } = await openLibrary({ "a.sh": "true\n" });
  const { client } = await connectHttp(url, way);
  const steps: string[] = [];
  await client.callTool(
    { name: "refresh_skills", arguments: {} },
    { onprogress: ({ message = "" }) => void steps.push(message) },
  );
  expect(steps).toEqual(["Reading the library."]);
});
