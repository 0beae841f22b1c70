import type { Log, ObserveRequest, ObserveWork } from "#util";

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

const SIGNALS = ["traces", "metrics", "logs"] as const;
export type Signal = (typeof SIGNALS)[number];

type Protocol = "http/protobuf" | "http/json";

/** Where one signal goes. */
export interface SignalSettings {
  readonly signal: Signal;
  readonly url: string;
  readonly protocol: Protocol;
}

export interface TelemetrySettings {
  /** The signals that are sent; at least one. */
  readonly signals: readonly SignalSettings[];
  /** Whether spans have the arguments and the answers of tools. */
  readonly content: boolean;
}

export interface TelemetryFlags {
  readonly otlp: string | undefined;
  readonly content: boolean;
}

/**
 * What the flags and the standard variables of OpenTelemetry select; undefined when nothing is sent. A value that cannot be
 * used is reported in one line, and its signal is not sent: telemetry never keeps a server from starting.
 */
export function readTelemetrySettings(
  flags: TelemetryFlags,
  environment: NodeJS.ProcessEnv,
  log: Pick<Log, "warn">,
): TelemetrySettings | undefined {
  const read = createReader(environment);
  const isNamed = flags.otlp !== undefined || ENDPOINTS.some((name) => read(name) !== undefined);
  if (!isNamed || read("OTEL_SDK_DISABLED")?.toLowerCase() === "true") return undefined;
  const problems = new Set<string>();
  const signals = SIGNALS.flatMap((signal): readonly SignalSettings[] => {
    const found = signalSettings(signal, flags.otlp, read);
    if (typeof found === "string") problems.add(found);
    return typeof found === "object" ? [found] : [];
  });
  if (problems.size > 0) log.warn(`telemetry: ${[...problems].join("; ")}`);
  return signals.length === 0 ? undefined : { signals, content: flags.content };
}

const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
const ENDPOINTS = [ENDPOINT, ...SIGNALS.map((signal) => variable(signal, "ENDPOINT"))];

function variable(signal: Signal, what: string): string {
  return `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${what}`;
}

/** Where a signal goes; a text says why it cannot be sent, undefined that it is not wanted. */
function signalSettings(
  signal: Signal,
  flag: string | undefined,
  read: (name: string) => string | undefined,
): SignalSettings | string | undefined {
  const exporterName = `OTEL_${signal.toUpperCase()}_EXPORTER`;
  const exporter = read(exporterName) ?? "otlp";
  if (exporter === "none") return undefined;
  if (exporter !== "otlp")
    return `${exporterName}=${exporter} is not supported, so no ${signal} are sent: use otlp or none`;
  const ownName = variable(signal, "ENDPOINT");
  const own = flag === undefined ? read(ownName) : undefined;
  const base = flag ?? read(ENDPOINT);
  if (own === undefined && base === undefined) return undefined;
  const url = own ?? `${base?.replace(/\/$/, "")}/v1/${signal}`;
  if (!isHttp(url))
    return `${own === undefined ? ENDPOINT : ownName} is not an http or https URL, so no ${signal} are sent`;
  const protocolName = [variable(signal, "PROTOCOL"), "OTEL_EXPORTER_OTLP_PROTOCOL"].find(
    (name) => read(name) !== undefined,
  );
  const protocol = protocolName === undefined ? "http/protobuf" : read(protocolName);
  if (protocol === "http/protobuf" || protocol === "http/json") return { signal, url, protocol };
  return `${protocolName}=${protocol} is not supported, so nothing is sent: use http/protobuf or http/json, with the collector's HTTP port, usually 4318`;
}

/** An empty variable counts as unset. */
function createReader(environment: NodeJS.ProcessEnv): (name: string) => string | undefined {
  return (name) => environment[name]?.trim() || undefined;
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
