import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ObservedRequest, RequestOutcome } from "#util";
import { connectHttp, WAYS } from "../../../../../test/support/connect-http.ts";
import { withScripts, writeLibrary } from "../../../../../test/support/library.ts";
import { createSandbox, DISK_FOLDER } from "../../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../../test/support/wait-until.ts";
import { createMetrics } from "../../../src/http/ops/metrics.ts";
import { openHttp } from "../../open-http.ts";

const REQUEST: ObservedRequest = {
  method: "tools/call",
  tool: "skill",
  id: 1,
  httpRequestId: undefined,
  client: undefined,
  caller: undefined,
  protocolVersion: undefined,
  sessionId: undefined,
  transport: "tcp",
  trace: undefined,
  startedAt: 0,
  params: undefined,
};
const OUTCOME: RequestOutcome = { kind: "ok", durationMs: 1, client: undefined, protocolVersion: undefined };

describe("metrics of what a server does", () => {
  test.each(WAYS)("%s: requests by method, tool, outcome, client and skill", async (way) => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("project/.claude/skills/pdf");
    const { url } = await openHttp(sandbox);
    const { client } = await connectHttp(url, way, { clientName: "claude-code" });
    await client.callTool({ name: "skill", arguments: { name: "PDF" } });
    await client.callTool({ name: "skill", arguments: { name: "made up" } });
    await expect(client.callTool({ name: "made-up" })).rejects.toThrow();
    const text = await (await fetch(`${url}/metrics`)).text();
    for (const line of [
      'skills_mcp_requests_total{method="tools/call",tool="skill",outcome="ok"} 1',
      'skills_mcp_requests_total{method="tools/call",tool="skill",outcome="tool_error"} 1',
      'skills_mcp_requests_total{method="tools/call",tool="",outcome="error"} 1',
      'skills_mcp_request_duration_seconds_count{method="tools/call",tool="skill"} 2',
      'skills_mcp_client_requests_total{client="Claude Code",outcome="tool_error"} 1',
      'skills_mcp_skill_uses_total{skill="pdf"} 1',
    ])
      expect(text).toContain(`${line}\n`);
    expect(text).toMatch(/skills_mcp_scan_duration_seconds_count [1-9]/);
    expect(text).not.toMatch(/made.up/);
  });

  test("a request that the client cancels counts as cancelled, and scripts by their result", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const scripts = withScripts({ "wait.sh": "echo begun\nexec sleep 60\n", "bad.sh": "exit 3\n" });
    const { url } = await openHttp(sandbox, {
      app: { library: writeLibrary(sandbox, scripts), sandboxDefault: "preferred" },
    });
    const { client } = await connectHttp(url, "2025-11-25");
    const run = (file: string, options = {}) =>
      client.callTool({ name: "run_script", arguments: { skill_path: "s", file, args: {} } }, options);
    await run("bad.sh");
    const abort = new AbortController();
    const began = new Promise<void>((resolve) => {
      run("wait.sh", { signal: abort.signal, onprogress: () => resolve() }).catch(() => {});
    });
    await began;
    abort.abort();
    const text = async (): Promise<string> => (await fetch(`${url}/metrics`)).text();
    await waitUntil("the request is counted", async () =>
      (await text()).includes('{method="tools/call",tool="run_script",outcome="cancelled"} 1'),
    );
    expect(await text()).toMatch(/skills_mcp_script_runs_total\{result="exit_code",sandbox="\w+"\} 1/);
  });

  test("no caller decides how many series there are", async () => {
    const { activity, text } = createMetrics();
    for (let index = 0; index < 500; index++) {
      const client = { name: `client ${index}\n"} evil 1` };
      const served = { name: `skill-${index}`, source: "plugin" };
      for (let times = 0; times <= (index === 450 ? 3 : 0); times++)
        activity.requests(REQUEST).end({ ...OUTCOME, client, served });
    }
    const lines = (await text()).split("\n");
    const clients = lines.filter((line) => line.startsWith("skills_mcp_client_requests_total{"));
    expect(clients).toHaveLength(21);
    expect(clients.at(-1)).toBe('skills_mcp_client_requests_total{client="other",outcome="ok"} 483');
    expect(clients[0]).toBe('skills_mcp_client_requests_total{client="client 0___ evil 1",outcome="ok"} 1');
    const skills = lines.filter((line) => line.startsWith("skills_mcp_skill_uses_total{"));
    expect(skills).toHaveLength(100);
    expect(skills[0]).toBe('skills_mcp_skill_uses_total{skill="skill-450"} 4');
  });
});

describe("the example dashboard for Grafana", () => {
  interface Panel {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }
  const { panels } = JSON.parse(readFileSync("docs/grafana/skills-mcp.json", "utf8")) as {
    readonly panels: readonly Panel[];
  };
  const queries = panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => [title, expr] as const),
  );

  /** Of every metric, the labels that it has. */
  async function knownMetrics(): Promise<ReadonlyMap<string, readonly string[]>> {
    const metrics = createMetrics();
    const { activity } = metrics;
    metrics.observe("mcp", 200, 1);
    activity.requests(REQUEST).end({ ...OUTCOME, served: { name: "pdf", source: "plugin" } });
    for (const kind of ["scan", "search", "script", "git"] as const) {
      const facts = { repository: "team", verdict: "match", sandbox: "none" };
      await activity.work({ kind, run: async () => 1, describe: () => ({ facts, failed: "timeout" }) });
    }
    const one = new Map([["one", 1]]);
    metrics.read({
      sessions: () => 1,
      streams: () => 1,
      skillsByProvider: () => one,
      refreshes: () => 1,
      gitAges: () => one,
      events: () => ({ queued: 1, dropped: 1 }),
      fleet: () => ({ state: "degraded", queued: { writes: 1, dropped: 1 }, replicas: [], differ: false }),
      sandbox: () => "bubblewrap",
    });
    const samples = (await metrics.text()).matchAll(/^(\w+)(?:\{(.*)\})? [\d.e+-]+$/gm);
    return new Map(
      [...samples].map(([, name = "", labels = ""]) => [
        name,
        [...labels.matchAll(/(\w+)="/g)].map(([, label = ""]) => label),
      ]),
    );
  }

  test("and the documentation has every metric, and no other", async () => {
    const text = readFileSync("docs/how-to/telemetry.md", "utf8");
    const documented = new Set([...text.matchAll(/`(skills_mcp_\w+)/g)].map(([, name = ""]) => name));
    const known = [...(await knownMetrics()).keys()].map((name) =>
      name.replace(/_(?:bucket|sum|count)$/, ""),
    );
    expect([...documented].sort()).toEqual([...new Set(known)].sort());
  });

  test("has panels", () => expect(queries.length).toBeGreaterThan(15));

  test.each(queries)("%s: %s asks for metrics and labels that exist", async (_title, expr) => {
    const known = await knownMetrics();
    const names = [...expr.matchAll(/skills_mcp_\w+/g)].map(([name]) => name);
    expect(names).not.toEqual([]);
    for (const name of names) expect([...known.keys()]).toContain(name);
    const [, by = ""] = /\bby \(([^)]*)\)/.exec(expr) ?? [];
    const [, selector = ""] = /\{([^}]*)\}/.exec(expr) ?? [];
    const labels = [
      ...by.split(",").map((label) => label.trim()),
      ...[...selector.matchAll(/(\w+)\s*[!=]/g)].map(([, label = ""]) => label),
    ];
    const own = known.get(names[0] ?? "") ?? [];
    for (const label of labels.filter((each) => each !== "" && each !== "job")) expect(own).toContain(label);
  });
});
