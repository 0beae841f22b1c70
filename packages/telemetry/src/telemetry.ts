import type { Log, ObserveRequest, ObserveWork } from "#util";
import type { TelemetrySettings } from "./telemetry-settings.ts";

/** Passes on what a server does to a collector of OpenTelemetry. */
export interface Telemetry {
  /** Undefined: requests are not sent to the collector. */
  readonly requests: ObserveRequest | undefined;
  readonly work: ObserveWork | undefined;
  /** A log that writes to `log` and passes each line on to the collector. */
  logTo(log: Log): Log;
  /** Sends what is left, within this time. */
  close(deadlineMs: number): Promise<void>;
}

export const NO_TELEMETRY: Telemetry = {
  requests: undefined,
  work: undefined,
  logTo: (log) => log,
  close: async () => {},
};

export interface TelemetryOptions {
  readonly settings: TelemetrySettings;
  /** Receives what concerns the delivery itself. */
  readonly log: Log;
}

/** Loads the libraries of OpenTelemetry, which nothing else does: they are a bundle of their own. */
export async function openTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { openOtel } = await import("./otel/open-otel.ts");
  return openOtel(options);
}
