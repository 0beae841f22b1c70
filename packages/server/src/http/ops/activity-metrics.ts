import { Counter, Histogram, type Registry } from "prom-client";
import { type ClientInfo, clientTitle } from "#agents";
import type { ObserveRequest, ObserveWork, WorkKind, WorkResult } from "#util";
import { noteRequests, noteWork } from "../../mcp/observe/observers.ts";

/** What the server does, as counters and durations. Every label is one of a bounded number of values. */
export interface ActivityMetrics {
  readonly requests: ObserveRequest;
  readonly work: ObserveWork;
}

/** The skills that were used most have a series each. */
const TOP_SKILLS = 100;
/** The names of skills that are counted: no server has more, and a catalogue that changes for years may. */
const MOST_SKILLS = 20_000;
/** Clients that nobody knows, by the names that they give themselves; all others are one. */
const MOST_UNKNOWN_CLIENTS = 20;
const LONGEST_CLIENT = 40;

const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];
const WORK_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export function createActivityMetrics(registry: Registry): ActivityMetrics {
  return { requests: requestMetrics(registry), work: workMetrics(registry) };
}

function requestMetrics(registry: Registry): ObserveRequest {
  const registers = [registry];
  const requests = new Counter({
    name: "skills_mcp_requests_total",
    help: "MCP requests by method, tool and outcome (ok, tool_error, error, cancelled).",
    labelNames: ["method", "tool", "outcome"],
    registers,
  });
  const seconds = new Histogram({
    name: "skills_mcp_request_duration_seconds",
    help: "Time to answer an MCP request.",
    labelNames: ["method", "tool"],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const clients = new Counter({
    name: "skills_mcp_client_requests_total",
    help: "MCP requests by client and outcome.",
    labelNames: ["client", "outcome"],
    registers,
  });
  const skills = createTopSkills(registry);
  const clientName = createClientNames();
  return noteRequests(({ method, tool = "" }, { kind: outcome, durationMs, client, served }) => {
    requests.inc({ method, tool, outcome });
    clients.inc({ client: clientName(client), outcome });
    if (outcome !== "cancelled") seconds.observe({ method, tool }, durationMs / 1_000);
    if (served !== undefined) skills.add(served.name);
  });
}

/** Exact counts of all skills, of which a scrape shows the highest: a series is always the true number of its skill. */
function createTopSkills(registry: Registry) {
  const counts = new Map<string, number>();
  const metric = new Counter({
    name: "skills_mcp_skill_uses_total",
    help: `Successful requests for a skill, of the ${TOP_SKILLS} skills that were used most.`,
    labelNames: ["skill"],
    registers: [],
    collect() {
      this.reset();
      const top = [...counts].sort(([, a], [, b]) => b - a).slice(0, TOP_SKILLS);
      for (const [skill, count] of top) this.inc({ skill }, count);
    },
  });
  registry.registerMetric(metric);
  return {
    add(skill: string): void {
      const count = counts.get(skill);
      if (count !== undefined || counts.size < MOST_SKILLS) counts.set(skill, (count ?? 0) + 1);
    },
  };
}

/** A client calls itself what it likes. */
function createClientNames(): (client: ClientInfo | undefined) => string {
  const unknown = new Set<string>();
  return (client) => {
    if (client === undefined) return "unknown";
    const title = clientTitle(client.name);
    if (title !== undefined) return title;
    const name = client.name.replace(/[^\w .@/-]/g, "_").slice(0, LONGEST_CLIENT);
    if (!unknown.has(name) && unknown.size >= MOST_UNKNOWN_CLIENTS) return "other";
    unknown.add(name);
    return name;
  };
}

function workMetrics(registry: Registry): ObserveWork {
  const duration = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Histogram({
      name: `skills_mcp_${name}_duration_seconds`,
      help,
      labelNames: [...labelNames],
      buckets: WORK_BUCKETS,
      registers: [registry],
    });
  const counter = (name: string, help: string, labelNames: readonly string[]) =>
    new Counter({
      name: `skills_mcp_${name}_total`,
      help,
      labelNames: [...labelNames],
      registers: [registry],
    });
  const scans = duration("scan", "Time to scan the skill folders.");
  const failedScans = counter("scan_failures", "Scans that failed, by reason.", ["reason"]);
  const searches = duration("search", "Time to rank the skills for a task.");
  const verdicts = counter("searches", "Searches by verdict (match, ambiguous, no_match).", ["verdict"]);
  const syncs = duration("git_sync", "Time to fetch a repository.", ["repository"]);
  const failedSyncs = counter("git_sync_failures", "Fetches that failed, by repository and reason.", [
    "repository",
    "reason",
  ]);
  const scripts = duration("script", "Time that scripts ran.");
  const runs = counter("script_runs", "Scripts by result (ok, exit_code, timeout, …) and sandbox.", [
    "result",
    "sandbox",
  ]);
  const note: Readonly<Record<WorkKind, (seconds: number, result: WorkResult) => void>> = {
    scan(seconds, { failed }) {
      scans.observe(seconds);
      if (failed !== undefined) failedScans.inc({ reason: failed });
    },
    search(seconds, { facts }) {
      searches.observe(seconds);
      verdicts.inc({ verdict: String(facts?.["verdict"] ?? "error") });
    },
    git(seconds, { facts, failed }) {
      const repository = String(facts?.["repository"]);
      syncs.observe({ repository }, seconds);
      if (failed !== undefined) failedSyncs.inc({ repository, reason: failed });
    },
    script(seconds, { facts, failed = "ok" }) {
      scripts.observe(seconds);
      runs.inc({ result: failed, sandbox: String(facts?.["sandbox"] ?? "none") });
    },
  };
  return noteWork(
    (kind, seconds, result) => note[kind](seconds, result),
    () => performance.now(),
  );
}
