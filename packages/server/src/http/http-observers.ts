import type { Log, ObserveRequest, ObserveWork } from "#util";
import type { RequestObservation } from "../mcp/observe/observe-requests.ts";
import { observedBy, requestsObservedBy } from "../mcp/observe/observers.ts";
import { type CallTail, createCallTail } from "./ops/call-tail.ts";
import { createMetrics, type Metrics } from "./ops/metrics.ts";
import { type AccessLog, createAccessLog } from "./server/access-log.ts";

/** What observes a server over HTTP: its metrics, its log and, if there is any, OpenTelemetry. */
export interface HttpObservers {
  readonly requests: RequestObservation;
  readonly work: ObserveWork;
  /** The last calls, for people who watch. */
  readonly calls: CallTail;
  /** What the server itself reports to. */
  readonly measures: { readonly metrics: Metrics; readonly accessLog: AccessLog };
  readonly log: Log;
}

export function createHttpObservers(
  log: Log,
  telemetry: { readonly requests: ObserveRequest | undefined; readonly work: ObserveWork | undefined },
): HttpObservers {
  const metrics = createMetrics();
  const accessLog = createAccessLog(log);
  const { activity } = metrics;
  const calls = createCallTail();
  // Telemetry comes last: until it is told that a request ended, log lines belong to that request.
  const watching = [activity.requests, accessLog.requests, calls.requests, telemetry.requests];
  return {
    requests: { observe: requestsObservedBy(watching.filter(isGiven)), transport: "tcp" },
    work: observedBy([activity.work, telemetry.work].filter(isGiven)),
    calls,
    measures: { metrics, accessLog },
    log,
  };
}

function isGiven<T>(value: T | undefined): value is T {
  return value !== undefined;
}
