import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { createNoopMeter, type Meter, ProxyTracerProvider, type Tracer } from "@opentelemetry/api";
import { SeverityNumber } from "@opentelemetry/api-logs";
import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { createLog, type Log, VERSION } from "#util";
import type { Signal, SignalSettings, Telemetry, TelemetryOptions } from "../telemetry.ts";
import { readSdkSettings, type SdkSettings } from "./environment.ts";
import {
  createDeliveryNotes,
  type DeliveryNotes,
  logExporter,
  metricExporter,
  traceExporter,
} from "./exporters.ts";
import { createRequestSpans } from "./request-spans.ts";
import { createScopes, type Scopes } from "./scopes.ts";
import { createWorkSpans } from "./work-spans.ts";

/** The name of the instrumentation, and of the service unless OTEL_SERVICE_NAME says otherwise. */
const NAME = "skills-mcp";

interface Provider {
  shutdown(): Promise<void>;
}

/** Sends what the signals say. Nothing is registered globally, so that a program that embeds us has its own. */
export function openOtel({ settings, log }: TelemetryOptions): Telemetry {
  const { signals, content } = settings;
  const notes = createDeliveryNotes(log);
  const sdk = readSdkSettings(process.env);
  const resource = resourceOf();
  const providers: Provider[] = [];
  const settingsOf = (wanted: Signal): SignalSettings | undefined =>
    signals.find(({ signal }) => signal === wanted);
  const opened = { sdk, resource, notes, providers };
  const scopes = createScopes();
  const tracer = openTracer(settingsOf("traces"), opened);
  const meter = openMeter(settingsOf("metrics"), opened);
  return {
    requests: createRequestSpans({ tracer, meter, scopes, content }),
    work: createWorkSpans(tracer, meter, scopes),
    logTo: openLogs(settingsOf("logs"), opened, scopes),
    async close(deadlineMs) {
      const closed = Promise.allSettled(providers.map((provider) => provider.shutdown())).then(() => true);
      const timeout = new AbortController();
      const inTime = await Promise.race([
        closed,
        pause(deadlineMs, false, { signal: timeout.signal }).catch(() => true),
      ]);
      timeout.abort();
      if (!inTime) notes.noteTimeout(signals);
    },
  };
}

interface Opened {
  readonly sdk: SdkSettings;
  readonly resource: Resource;
  readonly notes: DeliveryNotes;
  /** Closed at the end. */
  readonly providers: Provider[];
}

function resourceOf(): Resource {
  const own = resourceFromAttributes({
    "service.name": NAME,
    "service.version": VERSION,
    "service.instance.id": randomUUID(),
  });
  // The operator's variables win.
  return own.merge(detectResources({ detectors: [envDetector] }));
}

function openTracer(
  settings: SignalSettings | undefined,
  { sdk, resource, notes, providers }: Opened,
): Tracer {
  if (settings === undefined) return new ProxyTracerProvider().getTracer(NAME);
  const exporter = traceExporter(settings, notes);
  const provider = new TracerProvider({
    resource,
    sampler: sdk.sampler,
    spanProcessors: [new BatchSpanProcessor({ exporter, ...sdk.spans })],
  });
  providers.push(provider);
  return provider.getTracer(NAME, VERSION);
}

function openMeter(settings: SignalSettings | undefined, { sdk, resource, notes, providers }: Opened): Meter {
  if (settings === undefined) return createNoopMeter();
  const exporter = metricExporter(settings, notes);
  const provider = new MeterProvider({
    resource,
    readers: [new PeriodicExportingMetricReader({ exporter, ...sdk.metrics })],
  });
  providers.push(provider);
  return provider.getMeter(NAME, VERSION);
}

const SEVERITIES: Readonly<Record<Exclude<keyof Log, "debug">, SeverityNumber>> = {
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
};

function openLogs(
  settings: SignalSettings | undefined,
  { sdk, resource, notes, providers }: Opened,
  scopes: Scopes,
): Telemetry["logTo"] {
  if (settings === undefined) return (log) => log;
  const exporter = logExporter(settings, notes);
  const provider = new LoggerProvider({
    resource,
    processors: [new BatchLogRecordProcessor({ exporter, ...sdk.logs })],
  });
  providers.push(provider);
  const logger = provider.getLogger(NAME, VERSION);
  return (log) =>
    both(log, (level, message, { fields = {} } = {}) => {
      if (level === "debug") return;
      const attributes = Object.entries(fields).flatMap(([key, value]) =>
        value === undefined ? [] : [[`skills_mcp.${key}`, value] as const],
      );
      logger.emit({
        severityNumber: SEVERITIES[level],
        severityText: level,
        body: message,
        attributes: Object.fromEntries(attributes),
        context: scopes.current(),
      });
    });
}

function both(log: Log, emit: Parameters<typeof createLog>[0]): Log {
  return createLog((level, message, details) => {
    log[level](message, details);
    emit(level, message, details);
  }, "debug");
}
