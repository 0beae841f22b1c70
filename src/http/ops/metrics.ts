import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** What is read when someone asks for the metrics. */
export interface MetricSources {
  readonly sessions: () => number;
  readonly streams: () => number;
  readonly skillsByProvider: () => ReadonlyMap<string, number>;
  readonly refreshes: () => number;
  /** Seconds since each repository was last equal to its remote. */
  readonly gitAges: () => ReadonlyMap<string, number>;
  readonly events: () => { readonly queued: number; readonly dropped: number } | undefined;
  /** Undefined: no script has run yet. */
  readonly sandbox: () => string | undefined;
}

export interface Metrics {
  /** `route` is one of a fixed few, so that nobody can make the metrics grow. A stream took no time of its own. */
  observe(route: string, status: number, seconds: number | undefined): void;
  readonly contentType: string;
  text(): Promise<string>;
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];

export function createMetrics(sources: MetricSources): Metrics {
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
    help: "Time to answer a request; streams that stay open are not counted.",
    labelNames: ["route"],
    buckets: BUCKETS,
    registers,
  });
  const gauge = (name: string, help: string, read: () => number | undefined): void => {
    registry.registerMetric(
      new Gauge({
        name: `skills_mcp_${name}`,
        help,
        registers: [],
        collect() {
          const value = read();
          if (value !== undefined) this.set(value);
        },
      }),
    );
  };
  const gaugeBy = (
    name: string,
    help: string,
    label: string,
    read: () => Iterable<[string, number]>,
  ): void => {
    registry.registerMetric(
      new Gauge({
        name: `skills_mcp_${name}`,
        help,
        labelNames: [label],
        registers: [],
        collect() {
          this.reset();
          for (const [key, value] of read()) this.set({ [label]: key }, value);
        },
      }),
    );
  };
  const counter = (name: string, help: string, read: () => number | undefined): void => {
    registry.registerMetric(
      new Counter({
        name: `skills_mcp_${name}`,
        help,
        registers: [],
        collect() {
          this.reset();
          this.inc(read() ?? 0);
        },
      }),
    );
  };
  gauge("sessions", "Sessions that are open.", sources.sessions);
  gauge("streams", "Streams that are open.", sources.streams);
  gaugeBy("skills", "Skills that are served, by provider.", "provider", sources.skillsByProvider);
  counter("refreshes_total", "How often the disk was looked at.", sources.refreshes);
  gaugeBy(
    "git_sync_age_seconds",
    "Since the content was last equal to its remote.",
    "repository",
    sources.gitAges,
  );
  gauge("events_queued", "Usage events that wait to be sent.", () => sources.events()?.queued);
  counter("events_dropped_total", "Usage events that were given up.", () => sources.events()?.dropped);
  gaugeBy("sandbox", "Which sandbox scripts run in.", "layer", () => {
    const layer = sources.sandbox();
    return layer === undefined ? [] : [[layer, 1]];
  });
  gauge("resident_memory_bytes", "Memory of the process.", () => process.memoryUsage.rss());
  return {
    observe(route, status, duration) {
      requests.inc({ route, status });
      if (duration !== undefined) seconds.observe({ route }, duration);
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}
