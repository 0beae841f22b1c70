import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { type ActivityMetrics, createActivityMetrics } from "./activity-metrics.ts";

/** How a replica is doing. */
interface FleetFigures {
  readonly state: "connected" | "degraded";
  readonly queued: { readonly writes: number; readonly dropped: number };
  /** The others that were heard of lately. */
  readonly replicas: readonly unknown[];
  /** Whether some of them serve something else. */
  readonly differ: boolean;
}

/** Values that are read on every scrape. */
interface MetricSources {
  readonly sessions: () => number;
  readonly streams: () => number;
  readonly skillsByProvider: () => ReadonlyMap<string, number>;
  readonly refreshes: () => number;
  /** Seconds since each repository was last in sync with its remote. */
  readonly gitAges: () => ReadonlyMap<string, number>;
  readonly events: () => { readonly queued: number; readonly dropped: number } | undefined;
  /** Undefined: this server is no replica. */
  readonly fleet: () => FleetFigures | undefined;
  /** Undefined: no script has run yet. */
  readonly sandbox: () => string | undefined;
}

export interface Metrics {
  /** `route` is one of a fixed set, so that the number of time series is bounded. A stream has no duration. */
  observe(route: string, status: number, seconds: number | undefined): void;
  /** What MCP requests, scans, searches, scripts and git are reported to. */
  readonly activity: ActivityMetrics;
  /** Adds the values of a server that was opened with these metrics. */
  read(sources: MetricSources): void;
  readonly contentType: string;
  text(): Promise<string>;
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "skills_mcp_http_requests_total",
    help: "Requests by route and status.",
    labelNames: ["route", "status"],
    registers,
  });
  const seconds = new Histogram({
    name: "skills_mcp_http_request_duration_seconds",
    help: "Time to answer a request, without streams.",
    labelNames: ["route"],
    buckets: BUCKETS,
    registers,
  });
  return {
    activity: createActivityMetrics(registry),
    read: (sources) => registerSources(registry, sources),
    observe(route, status, duration) {
      requests.inc({ route, status });
      if (duration !== undefined) seconds.observe({ route }, duration);
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

function registerSources(registry: Registry, sources: MetricSources): void {
  const gauge = (name: string, help: string, read: () => number | undefined): void =>
    gaugeBy(undefined, name, help, () => [["", read()]]);
  const gaugeBy = (
    label: string | undefined,
    name: string,
    help: string,
    read: () => Iterable<readonly [string, number | undefined]>,
  ): void => {
    const metric = new Gauge({
      name: `skills_mcp_${name}`,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [],
      collect() {
        this.reset();
        for (const [key, value] of read())
          if (value !== undefined) this.set(label === undefined ? {} : { [label]: key }, value);
      },
    });
    registry.registerMetric(metric);
  };
  const counter = (name: string, help: string, read: () => number | undefined): void => {
    const metric = new Counter({
      name: `skills_mcp_${name}`,
      help,
      registers: [],
      collect() {
        this.reset();
        this.inc(read() ?? 0);
      },
    });
    registry.registerMetric(metric);
  };
  gauge("sessions", "Open sessions.", sources.sessions);
  gauge("streams", "Open streams.", sources.streams);
  gaugeBy("provider", "skills", "Skills that are served, by provider.", sources.skillsByProvider);
  counter("refreshes_total", "Scans of the skill folders.", sources.refreshes);
  gaugeBy(
    "repository",
    "git_sync_age_seconds",
    "Time since a repository was last in sync with its remote.",
    sources.gitAges,
  );
  gauge("events_queued", "Usage events that wait for delivery.", () => sources.events()?.queued);
  counter("events_dropped_total", "Usage events that were dropped.", () => sources.events()?.dropped);
  gaugeBy("layer", "sandbox", "The sandbox that scripts run in.", () => {
    const layer = sources.sandbox();
    return layer === undefined ? [] : [[layer, 1]];
  });
  registerFleet(gauge, counter, sources.fleet);
  gauge("resident_memory_bytes", "Resident memory of the process.", () => process.memoryUsage.rss());
}

type Register = (name: string, help: string, read: () => number | undefined) => void;

/** Without Redis the gauges have no series. */
function registerFleet(gauge: Register, counter: Register, fleet: MetricSources["fleet"]): void {
  const figure = (read: (figures: FleetFigures) => number) => () => {
    const figures = fleet();
    return figures && read(figures);
  };
  gauge(
    "redis_up",
    "Whether Redis answers.",
    figure(({ state }) => (state === "connected" ? 1 : 0)),
  );
  gauge(
    "redis_queued_writes",
    "Writes that wait for Redis.",
    figure(({ queued }) => queued.writes),
  );
  counter(
    "redis_dropped_writes_total",
    "Writes for Redis that found no room in the queue.",
    figure(({ queued }) => queued.dropped),
  );
  gauge(
    "replicas",
    "Replicas that were heard of lately, with this one.",
    figure(({ replicas }) => replicas.length + 1),
  );
  gauge(
    "replicas_differ",
    "Whether another replica serves something else.",
    figure(({ differ }) => (differ ? 1 : 0)),
  );
}
