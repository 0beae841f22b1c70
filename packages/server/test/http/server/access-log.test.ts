import { describe, expect, test } from "vitest";
import { createLog } from "#util";
import { runBin, spawnBin } from "../../../../../test/support/bin.ts";
import { connectHttp, WAYS } from "../../../../../test/support/connect-http.ts";
import { freePort } from "../../../../../test/support/free-port.ts";
import { createSandbox } from "../../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../../test/support/wait-until.ts";
import { openHttp } from "../../open-http.ts";

interface Line {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, string | number | undefined>>;
}

function recorder() {
  const lines: Line[] = [];
  const log = createLog((level, message, { fields = {} } = {}) => {
    lines.push({ level, message, fields });
  }, "debug");
  return { lines, log };
}

const TOKENS = "ann:ann-0123456789abcdef\n";
const SECRET = "a secret plan";

describe("lines in the log", () => {
  test.each(WAYS)("%s: one for each MCP request, with who did what and how long it took", async (way) => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const { lines, log } = recorder();
    const tokenFile = sandbox.write("tokens", TOKENS);
    const { url } = await openHttp(sandbox, { accessLog: log, auth: { tokenFile, oauth: undefined } });
    const { client } = await connectHttp(url, way, { token: "ann-0123456789abcdef", clientName: "probe" });
    await client.callTool({ name: "skill", arguments: { name: "pdf" } });
    await client.callTool({ name: "skill", arguments: { name: SECRET } });
    await waitUntil("two calls", () => lines.filter(({ fields }) => fields["tool"] === "skill").length === 2);
    const [ok, failed] = lines.filter(({ fields }) => fields["tool"] === "skill");
    expect(ok).toMatchObject({
      level: "info",
      fields: {
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        caller: "ann",
        client: "probe/1.0.0",
        method: "tools/call",
        tool: "skill",
        skill: "pdf",
        outcome: "ok",
        duration_ms: expect.any(Number) as number,
      },
    });
    expect(ok?.message).toMatch(/^tools\/call skill: ok, \d+ ms$/);
    expect(failed?.fields).toMatchObject({ outcome: "tool_error" });
    expect(JSON.stringify(lines)).not.toContain("secret");
    expect(lines.filter(({ message }) => message.startsWith("POST"))).toEqual([]);
  });

  test("401 and 429 are warnings, probes are for debugging, and all others are there", async () => {
    const sandbox = createSandbox();
    const { lines, log } = recorder();
    const tokenFile = sandbox.write("tokens", TOKENS);
    const rates = {
      "skills:read": { burst: 1, perSecond: 0.001 },
      "skills:run": { burst: 1, perSecond: 1 },
      "skills:admin": { burst: 1, perSecond: 1 },
    };
    const auth = { tokenFile, oauth: undefined };
    const { url } = await openHttp(sandbox, { accessLog: log, auth, http: { limits: { rates } } });
    const post = (token: string, id?: string) =>
      fetch(`${url}/mcp?task=${SECRET}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          ...(id === undefined ? {} : { "x-request-id": id }),
        },
        body: "{}",
      });
    const wrong = await post("nobody", "from-the-proxy-1");
    expect(wrong.headers.get("x-request-id")).toBe("from-the-proxy-1");
    await post("ann-0123456789abcdef");
    const tooOften = await post("ann-0123456789abcdef", `${SECRET} `);
    expect(tooOften.status).toBe(429);
    expect(tooOften.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    await fetch(`${url}/healthz`);
    await fetch(`${url}/${SECRET}`);
    await waitUntil("all lines", () => lines.length === 5);
    expect(lines.map(({ level, message }) => `${level} ${message.replace(/\d+ ms/, "n ms")}`)).toEqual([
      "warn POST mcp: 401, n ms",
      "info POST mcp: 415, n ms",
      "warn POST mcp: 429, n ms",
      "debug GET healthz: 200, n ms",
      "info GET other: 404, n ms",
    ]);
    expect(lines[0]?.fields).toMatchObject({ request_id: "from-the-proxy-1", status: 401, route: "mcp" });
    expect(lines[0]?.fields["caller"]).toBeUndefined();
    expect(lines[2]?.fields).toMatchObject({ caller: "ann", status: 429 });
    expect(JSON.stringify(lines)).not.toContain("secret");
  });

  test("--log-format json has the fields; stdio has no such lines", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const port = await freePort();
    const args = ["mcp", "--transport", "http", "--port", String(port), "--log-format", "json"];
    const { child, exit, stderr } = spawnBin(sandbox, args);
    await waitUntil("it listens", () => stderr().includes("listening on"));
    const { client } = await connectHttp(`http://127.0.0.1:${port}`, "2026-07-28");
    await client.callTool({ name: "skill", arguments: { name: "pdf" } });
    await waitUntil("the line", () => stderr().includes("tools/call skill"));
    await client.close();
    child.kill("SIGTERM");
    await exit;
    const lines = stderr()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.find(({ tool }) => tool === "skill")).toMatchObject({
      level: "info",
      method: "tools/call",
      client: "test/1.0.0",
      outcome: "ok",
      skill: "pdf",
    });

    const ping = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`;
    expect(runBin(sandbox, ["mcp", "--log-level", "debug"], { input: ping }).stderr).not.toContain("ping");
  });
});
