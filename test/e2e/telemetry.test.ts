import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { BIN, spawnBin } from "../support/bin.ts";
import { ERAS } from "../support/client.ts";
import { connectHttp, WAYS } from "../support/connect-http.ts";
import { connectInProcess as connect, runCommand, serveInProcess as serve } from "../support/in-process.ts";
import { page, withScripts, writeLibrary } from "../support/library.ts";
import { createOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from "../support/otlp-receiver.ts";
import { HAS_REDIS, startRedis } from "../support/redis-server.ts";
import { createSandbox, DISK_FOLDER, type Sandbox } from "../support/sandbox.ts";
import { createServedLocalTeam } from "../support/team-library.ts";
import { waitUntil } from "../support/wait-until.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const TASK = "a secret plan of mine";

/** Soon, so that tests need not end a server to see what it sends. */
const SOON = {
  OTEL_BSP_SCHEDULE_DELAY: "50",
  OTEL_BLRP_SCHEDULE_DELAY: "50",
  OTEL_METRIC_EXPORT_INTERVAL: "100",
};

function named(receiver: OtlpReceiver, name: string): ReceivedSpan {
  const spans = receiver.spans();
  const found = spans.find((span) => span.name === name);
  if (found === undefined) throw new Error(`no ${name} among ${spans.map((span) => span.name).join(", ")}`);
  return found;
}

async function arrived(receiver: OtlpReceiver, ...names: readonly string[]): Promise<void> {
  await waitUntil(`spans ${names.join(", ")}`, () =>
    names.every((name) => receiver.spans().some((span) => span.name === name)),
  );
}

describe("OpenTelemetry on stdio", () => {
  test.each(
    ERAS.flatMap((era) => ["http/protobuf", "http/json"].map((protocol) => [era, protocol] as const)),
  )(
    "%s, %s: spans and durations have the names of the conventions, and no text of a caller",
    async (era, protocol) => {
      const sandbox = createSandbox();
      sandbox.skill("project/.claude/skills/pdf", { body: "The whole body.\n" });
      const receiver = await createOtlpReceiver();
      const { client, close } = await connect(sandbox, {
        era,
        clientName: "probe",
        env: {
          OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
          OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
          OTEL_EXPORTER_OTLP_HEADERS: "x-key=abc",
          OTEL_RESOURCE_ATTRIBUTES: "team=docs",
        },
        args: ["mcp", "--tools", "loader,finder"],
      });
      await client.listTools();
      const _meta = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: "a=b" };
      await client.callTool({ name: "skill", arguments: { name: "pdf" }, _meta });
      await client.callTool({ name: "skill", arguments: { name: TASK } });
      await client.callTool({ name: "find_skills", arguments: { task: TASK } });
      await expect(client.callTool({ name: TASK })).rejects.toThrow("Unknown tool");
      await close();

      const call = named(receiver, "tools/call skill");
      expect(call).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, kind: 2, isError: false });
      expect(call.attributes).toMatchObject({
        "mcp.method.name": "tools/call",
        "gen_ai.tool.name": "skill",
        "gen_ai.operation.name": "execute_tool",
        "mcp.protocol.version": era,
        "network.transport": "pipe",
        "jsonrpc.request.id": expect.any(String) as string,
        "skill.name": "pdf",
        "skill.source": "projectSettings",
        "skills_mcp.client.name": "probe",
      });
      const refused = receiver.spans().find((span) => span.attributes["error.type"] === "tool_error");
      expect(refused).toMatchObject({ name: "tools/call skill", isError: true });
      expect(refused?.attributes["skill.name"]).toBeUndefined();
      expect(named(receiver, "tools/call")).toMatchObject({
        isError: true,
        attributes: { "error.type": "-32602", "rpc.response.status_code": "-32602" },
      });
      const search = named(receiver, "skills_mcp.search");
      expect(search.parentSpanId).toBe(named(receiver, "tools/call find_skills").spanId);
      expect(search.attributes).toMatchObject({ "skills_mcp.search.verdict": "no_match" });
      expect(named(receiver, "skills_mcp.scan").parentSpanId).toBe("");
      named(receiver, "tools/list");
      named(receiver, era === "2025-11-25" ? "initialize" : "server/discover");

      const durations = receiver.points().filter(({ metric }) => metric === "mcp.server.operation.duration");
      expect(durations.length).toBeGreaterThanOrEqual(5);
      expect(durations[0]?.bounds).toEqual([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]);
      expect(durations).toContainEqual(
        expect.objectContaining({
          unit: "s",
          count: 1,
          attributes: expect.objectContaining({
            "mcp.method.name": "tools/call",
            "gen_ai.tool.name": "skill",
            "error.type": "tool_error",
          }) as object,
        }),
      );
      const uses = receiver.points().filter(({ metric }) => metric === "skills_mcp.skill.uses");
      expect(uses.map(({ attributes, count }) => [attributes, count])).toEqual([
        [{ "skill.name": "pdf", "skill.source": "projectSettings" }, 1],
      ]);
      expect(receiver.logs().map(({ body }) => body)).toContain("ready: 1 skill");
      for (const { resource } of [...receiver.spans(), ...receiver.points(), ...receiver.logs()])
        expect(resource).toMatchObject({ "service.name": "skills-mcp", team: "docs" });
      expect(receiver.headers().every((headers) => headers["x-key"] === "abc")).toBe(true);
      for (const body of receiver.bodies()) {
        expect(body).not.toContain("secret");
        expect(body).not.toContain("The whole body");
      }
    },
  );

  test("--otlp-content adds the arguments and the answers of tools", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf", { body: "The whole body.\n" });
    const receiver = await createOtlpReceiver();
    const args = ["mcp", "--otlp", receiver.url, "--otlp-content"];
    const { client, close } = await connect(sandbox, { era: "2025-11-25", args });
    await client.callTool({ name: "skill", arguments: { name: "PDF" } });
    await close();
    const { attributes } = named(receiver, "tools/call skill");
    expect(attributes["gen_ai.tool.call.arguments"]).toBe('{"name":"PDF"}');
    expect(attributes["gen_ai.tool.call.result"]).toContain("The whole body");
  });

  test("a prompt and a resource are about a skill, too", async () => {
    const sandbox = createSandbox();
    sandbox.skill("home/.claude/skills/pdf");
    const library = writeLibrary(sandbox, { "ui.md": page("ui", "Interfaces") });
    const receiver = await createOtlpReceiver();
    const args = ["mcp", "--otlp", receiver.url, "--library", library];
    const { client, close } = await connect(sandbox, { era: "2025-11-25", args });
    await client.getPrompt({ name: "pdf" });
    await client.readResource({ uri: "skill://claude/pdf/SKILL.md" });
    await client.readResource({ uri: "library://ui" });
    await expect(client.readResource({ uri: `skill://claude/${TASK}` })).rejects.toThrow();
    await close();
    expect(named(receiver, "prompts/get pdf").attributes).toMatchObject({
      "gen_ai.prompt.name": "pdf",
      "skill.name": "pdf",
      "skill.source": "userSettings",
    });
    const reads = receiver.spans().filter(({ name }) => name === "resources/read");
    expect(reads.map(({ attributes }) => [attributes["skill.name"], attributes["mcp.resource.uri"]])).toEqual(
      [
        ["pdf", "skill://claude/pdf/SKILL.md"],
        ["ui", "library://ui"],
        [undefined, undefined],
      ],
    );
  });
});

describe("OpenTelemetry over HTTP", () => {
  test.each(WAYS)("%s: a span for each request, with its transport and its session", async (way) => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const receiver = await createOtlpReceiver();
    const url = await serve(sandbox, ["--otlp", receiver.url, "--tools", "loader,catalog"], SOON);
    const { client, transport } = await connectHttp(url, way);
    const _meta = { traceparent: `00-${TRACE}-${PARENT}-01` };
    await client.callTool({ name: "skill", arguments: { name: "pdf" }, _meta });
    await client.callTool({ name: "skills_list", arguments: {} });
    await arrived(receiver, "tools/call skill", "tools/call skills.list");
    const { attributes, traceId } = named(receiver, "tools/call skill");
    expect(traceId).toBe(TRACE);
    expect(attributes).toMatchObject({
      "network.transport": "tcp",
      "network.protocol.name": "http",
      "mcp.protocol.version": way === "2026-07-28" ? way : "2025-11-25",
      "skill.name": "pdf",
    });
    const session = attributes["mcp.session.id"];
    if (way === "2026-07-28") expect(session).toBeUndefined();
    else expect(session).toMatch(/^[0-9a-f]{32}$/);
    // Who knows the id can use the session.
    const id = "sessionId" in transport ? transport.sessionId : undefined;
    for (const body of receiver.bodies()) if (id !== undefined) expect(body).not.toContain(id);
    // The catalog tools look at the disk with every call.
    const list = named(receiver, "tools/call skills.list");
    expect(receiver.spans().filter(({ name }) => name === "skills_mcp.scan")).toContainEqual(
      expect.objectContaining({ parentSpanId: list.spanId, traceId: list.traceId }),
    );
    await waitUntil("the line of the request", () =>
      receiver.logs().some((record) => record.traceId === TRACE),
    );
    const line = receiver.logs().find((record) => record.traceId === TRACE);
    expect(line).toMatchObject({
      severity: "info",
      attributes: { "skills_mcp.tool": "skill", "skills_mcp.outcome": "ok", "skills_mcp.skill": "pdf" },
    });
    expect(line?.body).toMatch(/^tools\/call skill: ok, \d+ ms$/);
  });

  test("scripts and fetches are children of the calls that caused them", async () => {
    const receiver = await createOtlpReceiver();
    const team = await createServedLocalTeam(
      withScripts({ "ok.sh": "echo done\n", "bad.sh": "exit 3\n" }) as Readonly<Record<string, string>>,
      DISK_FOLDER,
    );
    const { client, close } = await connect(team.sandbox, {
      era: "2025-11-25",
      args: ["mcp", "--otlp", receiver.url, "--tools", "all"],
      env: { SKILLS_REPO: team.url },
    });
    const run = (file: string) =>
      client.callTool({ name: "run_script", arguments: { skill_path: "s", file, args: {} } });
    await run("ok.sh");
    await run("bad.sh");
    await client.callTool({ name: "refresh_skills", arguments: {} });
    await close();
    const scripts = receiver.spans().filter(({ name }) => name === "skills_mcp.script");
    const calls = receiver.spans().filter(({ name }) => name === "tools/call run_script");
    expect(scripts.map(({ parentSpanId }) => parentSpanId)).toEqual(calls.map(({ spanId }) => spanId));
    expect(scripts[0]?.attributes).toMatchObject({
      "skills_mcp.script.script": "s: ok.sh",
      "skills_mcp.script.exit_code": 0,
    });
    expect(scripts[1]).toMatchObject({ isError: true, attributes: { "error.type": "exit_code" } });
    const refresh = named(receiver, "tools/call refresh_skills");
    const fetches = receiver.spans().filter(({ name }) => name === "skills_mcp.git_sync");
    expect(fetches.map(({ parentSpanId }) => parentSpanId)).toContain(refresh.spanId);
    // The first fetch belongs to nobody.
    expect(fetches.map(({ parentSpanId }) => parentSpanId)).toContain("");
  });
});

const bundle = (name: string): string => path.join(path.dirname(BIN), `${name}.js`);

/** Ends the server as a client does, and says how, and which files it had loaded. */
async function endOf(sandbox: Sandbox, env: Readonly<Record<string, string>>) {
  const list = sandbox.path("loaded");
  const probe = sandbox.write(
    "probe.cjs",
    `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(list)}, Object.keys(require.cache).join("\\n")));\n`,
  );
  const server = spawnBin(sandbox, ["mcp"], { ...env, NODE_OPTIONS: `--require ${probe}` });
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a", version: "1" } };
  server.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  await waitUntil("the answer", () => server.stdout().includes('"id":1'));
  server.child.stdin.end();
  const { code } = await server.exit;
  const loaded = readFileSync(list, "utf8").split("\n");
  return { code, stdout: server.stdout(), stderr: server.stderr(), loaded };
}

describe("/metrics of a replica", () => {
  test.skipIf(!HAS_REDIS)("shows whether Redis answers", async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.close());
    const url = await serve(createSandbox(), ["--redis", redis.url]);
    const has = async (line: string): Promise<boolean> =>
      (await (await fetch(`${url}/metrics`)).text()).includes(`${line}\n`);
    await waitUntil("Redis answers", () => has("skills_mcp_redis_up 1"));
    expect(await has("skills_mcp_replicas 1")).toBe(true);
    await redis.close();
    await waitUntil("Redis is away", () => has("skills_mcp_redis_up 0"));
  });
});

describe("a collector that does not work", () => {
  test("that is away costs one line", async () => {
    const { code, stdout, stderr, loaded } = await endOf(createSandbox(), {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://user:password@127.0.0.1:9",
      OTEL_EXPORTER_OTLP_TIMEOUT: "200",
    });
    expect(code).toBe(0);
    expect(loaded).toContain(bundle("telemetry"));
    expect(stderr.match(/telemetry/g)).toHaveLength(1);
    expect(stderr).toMatch(
      / warn {2}telemetry: cannot deliver to http:\/\/127\.0\.0\.1:9: \w+; what it misses is lost\n/,
    );
    expect(stderr).not.toContain("password");
    expect(
      stdout
        .trim()
        .split("\n")
        .every((line) => line.startsWith("{")),
    ).toBe(true);
  });

  test("that hangs does not hold up the exit", async () => {
    const hanging = createServer(() => {});
    await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      hanging.closeAllConnections();
      hanging.close();
    });
    const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const { code, stderr } = await endOf(createSandbox(), { OTEL_EXPORTER_OTLP_ENDPOINT: url });
    expect(code).toBe(0);
    expect(stderr.match(/telemetry/g)).toHaveLength(1);
    expect(stderr).toContain("it did not answer in time");
  });

  test("--otlp takes an address, and says so", async () => {
    const { code, stderr } = await runCommand(createSandbox(), ["mcp", "--otlp", "collector:4318"]);
    expect(code).toBe(2);
    expect(stderr).toBe(
      "skills-mcp: --otlp takes an http or https URL, such as http://127.0.0.1:4318, not 'collector:4318'.\n",
    );
  });
});

describe("without telemetry", () => {
  test.each([
    ["nobody asks for it", {}],
    ["it is disabled", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_SDK_DISABLED: "true" }],
  ])("its bundle is not loaded: %s", async (_what, env) => {
    const { loaded } = await endOf(createSandbox(), env);
    expect(loaded).toContain(bundle("server"));
    expect(loaded).not.toContain(bundle("telemetry"));
  });
});
