import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import { OTLPLogExporter as JsonLogs } from "@opentelemetry/exporter-logs-otlp-http";
import { OTLPLogExporter as ProtobufLogs } from "@opentelemetry/exporter-logs-otlp-proto";
import { OTLPMetricExporter as JsonMetrics } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPMetricExporter as ProtobufMetrics } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter as JsonTraces } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufTraces } from "@opentelemetry/exporter-trace-otlp-proto";
import type { Log } from "#util";
import type { SignalSettings } from "../telemetry.ts";

/** Headers, time-outs, compression and certificates are read from the standard variables by the exporters themselves. */
const EXPORTERS = {
  traces: { "http/json": JsonTraces, "http/protobuf": ProtobufTraces },
  metrics: { "http/json": JsonMetrics, "http/protobuf": ProtobufMetrics },
  logs: { "http/json": JsonLogs, "http/protobuf": ProtobufLogs },
} as const;

/** Told how each delivery went. */
export interface DeliveryNotes {
  note(signal: SignalSettings, result: ExportResult): void;
  /** The last deliveries took too long. */
  noteTimeout(signals: readonly SignalSettings[]): void;
}

/** One line for a collector that is away, however long it is and however much is lost. */
export function createDeliveryNotes(log: Log): DeliveryNotes {
  let isNoted = false;
  const warn = (url: string, why: string): void => {
    if (isNoted) return;
    isNoted = true;
    log.warn(`telemetry: cannot deliver to ${hostOf(url)}: ${why}; what it misses is lost`);
  };
  return {
    note({ url }, { code, error }) {
      if (code !== ExportResultCode.SUCCESS) warn(url, reasonOf(error));
    },
    noteTimeout([signal]) {
      if (signal !== undefined) warn(signal.url, "it did not answer in time");
    },
  };
}

export function traceExporter(settings: SignalSettings, notes: DeliveryNotes) {
  return noted(new EXPORTERS.traces[settings.protocol]({ url: settings.url }), settings, notes);
}

export function metricExporter(settings: SignalSettings, notes: DeliveryNotes) {
  return noted(new EXPORTERS.metrics[settings.protocol]({ url: settings.url }), settings, notes);
}

export function logExporter(settings: SignalSettings, notes: DeliveryNotes) {
  return noted(new EXPORTERS.logs[settings.protocol]({ url: settings.url }), settings, notes);
}

interface Exporter<T> {
  export(items: T, done: (result: ExportResult) => void): void;
}

function noted<T, E extends Exporter<T>>(exporter: E, settings: SignalSettings, notes: DeliveryNotes): E {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, (result) => {
      notes.note(settings, result);
      done(result);
    });
  return exporter;
}

/** Without what an address may hold besides: a user, a key in the path. */
function hostOf(url: string): string {
  return new URL(url).origin;
}

function reasonOf(error: Error | undefined): string {
  if (error === undefined) return "unknown error";
  const code: unknown = "code" in error ? error.code : undefined;
  if (typeof code === "number") return `status ${code}`;
  return typeof code === "string" ? code : error.message === "" ? error.name : error.message;
}
