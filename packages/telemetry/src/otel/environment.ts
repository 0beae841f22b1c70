import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace";

/** What the packages leave to their caller of the standard variables. */
export interface SdkSettings {
  readonly sampler: Sampler;
  readonly spans: BatchSettings;
  readonly logs: BatchSettings;
  readonly metrics: { readonly exportIntervalMillis: number; readonly exportTimeoutMillis: number };
}

interface BatchSettings {
  readonly scheduledDelayMillis: number;
  readonly exportTimeoutMillis: number;
  readonly maxQueueSize: number;
  readonly maxExportBatchSize: number;
}

export function readSdkSettings(environment: NodeJS.ProcessEnv): SdkSettings {
  const number = (name: string, fallback: number): number => {
    const value = Number(environment[name]?.trim() || Number.NaN);
    return value > 0 && value <= 2_147_483_647 ? value : fallback;
  };
  const batch = (prefix: string, delay: number): BatchSettings => {
    const maxQueueSize = number(`${prefix}_MAX_QUEUE_SIZE`, 2_048);
    return {
      scheduledDelayMillis: number(`${prefix}_SCHEDULE_DELAY`, delay),
      exportTimeoutMillis: number(`${prefix}_EXPORT_TIMEOUT`, 30_000),
      maxQueueSize,
      maxExportBatchSize: Math.min(number(`${prefix}_MAX_EXPORT_BATCH_SIZE`, 512), maxQueueSize),
    };
  };
  const exportIntervalMillis = number("OTEL_METRIC_EXPORT_INTERVAL", 60_000);
  const timeout = number("OTEL_METRIC_EXPORT_TIMEOUT", 30_000);
  return {
    sampler: samplerOf(environment),
    spans: batch("OTEL_BSP", 5_000),
    logs: batch("OTEL_BLRP", 1_000),
    metrics: { exportIntervalMillis, exportTimeoutMillis: Math.min(timeout, exportIntervalMillis) },
  };
}

/** An unknown name is the default, as the specification has it. */
function samplerOf(environment: NodeJS.ProcessEnv): Sampler {
  const name = environment["OTEL_TRACES_SAMPLER"]?.trim() ?? "";
  const ratio = Number(environment["OTEL_TRACES_SAMPLER_ARG"]?.trim() || 1);
  const [parent, kind] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name)?.slice(1) ?? [
    "parentbased_",
    "always_on",
  ];
  const root =
    kind === "always_off"
      ? new AlwaysOffSampler()
      : kind === "traceidratio"
        ? new TraceIdRatioBasedSampler(ratio >= 0 && ratio <= 1 ? ratio : 1)
        : new AlwaysOnSampler();
  return parent === undefined ? root : new ParentBasedSampler({ root });
}
