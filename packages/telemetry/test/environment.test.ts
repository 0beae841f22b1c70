import { describe, expect, test } from "vitest";
import { readSdkSettings } from "../src/otel/environment.ts";

describe("the standard variables", () => {
  test.each([
    [{}, "ParentBased{root=AlwaysOnSampler, "],
    [{ OTEL_TRACES_SAMPLER: "nonsense" }, "ParentBased{root=AlwaysOnSampler, "],
    [{ OTEL_TRACES_SAMPLER: "always_off" }, "AlwaysOffSampler"],
    [{ OTEL_TRACES_SAMPLER: "parentbased_always_off" }, "ParentBased{root=AlwaysOffSampler, "],
    [{ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" }, "TraceIdRatioBased{0.25}"],
    [
      { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "7" },
      "ParentBased{root=TraceIdRatioBased{1}, ",
    ],
  ])("%j samples with %s", (environment, sampler) => {
    expect(readSdkSettings(environment).sampler.toString()).toContain(sampler);
  });

  test("set intervals and queues; what is not a number is the default", () => {
    expect(
      readSdkSettings({
        OTEL_BSP_SCHEDULE_DELAY: "20",
        OTEL_BSP_MAX_QUEUE_SIZE: "100",
        OTEL_BLRP_SCHEDULE_DELAY: "soon",
        OTEL_METRIC_EXPORT_INTERVAL: "5000",
      }),
    ).toMatchObject({
      spans: { scheduledDelayMillis: 20, maxQueueSize: 100, maxExportBatchSize: 100 },
      logs: { scheduledDelayMillis: 1_000 },
      metrics: { exportIntervalMillis: 5_000, exportTimeoutMillis: 5_000 },
    });
  });
});
