import type { RequestObservation } from "#server";
import { type AccessLog, createAccessLog, createMetrics, type Metrics } from "#server";
import type { Log } from "#util";
import { type ObserveWork, observedBy, requestsObservedBy } from "#util";
import type { FlagValues } from "../flags.ts";
import type { SHARED_SERVER_FLAGS } from "../server-flags.ts";
import { openServerTelemetry, TELEMETRY_DEADLINE_MS } from "./open-telemetry.ts";

/** What observes a server over HTTP: its metrics, its log and, if a flag asks for it, OpenTelemetry. */
export interface HttpObservers {
  readonly requests: RequestObservation;
  readonly work: ObserveWork;
  /** What the server itself reports to. */
  readonly measures: { readonly metrics: Metrics; readonly accessLog: AccessLog };
  readonly log: Log;
  close(): Promise<void>;
}

export async function openHttpObservers(
  given: FlagValues<typeof SHARED_SERVER_FLAGS>,
  ownLog: Log,
): Promise<HttpObservers> {
  const telemetry = await openServerTelemetry(given, ownLog);
  const log = telemetry.logTo(ownLog);
  const metrics = createMetrics();
  const accessLog = createAccessLog(log);
  const { activity } = metrics;
  // Telemetry comes last: until it is told that a request ended, log lines belong to that request.
  const watching = [activity.requests, accessLog.requests, telemetry.requests];
  return {
    requests: { observe: requestsObservedBy(watching.filter(isGiven)), transport: "tcp" },
    work: observedBy([activity.work, telemetry.work].filter(isGiven)),
    measures: { metrics, accessLog },
    log,
    close: () => telemetry.close(TELEMETRY_DEADLINE_MS),
  };
}

function isGiven<T>(value: T | undefined): value is T {
  return value !== undefined;
}
