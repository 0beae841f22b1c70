import { describe, expect, test } from "vitest";
import { readTelemetrySettings } from "../src/telemetry.ts";

const BASE = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };

function read(environment: Readonly<Record<string, string>>, otlp?: string) {
  const warnings: string[] = [];
  const settings = readTelemetrySettings({ otlp, content: false }, environment, {
    warn: (message) => void warnings.push(message),
  });
  const urls = Object.fromEntries((settings?.signals ?? []).map(({ signal, url }) => [signal, url]));
  return { urls, protocols: settings?.signals.map(({ protocol }) => protocol), warnings };
}

const all = (base: string) => ({
  traces: `${base}/v1/traces`,
  metrics: `${base}/v1/metrics`,
  logs: `${base}/v1/logs`,
});

describe("where telemetry goes", () => {
  test.each<[string, Readonly<Record<string, string>>, string | undefined, object]>([
    ["nothing is set", {}, undefined, {}],
    ["an empty variable", { OTEL_EXPORTER_OTLP_ENDPOINT: " " }, undefined, {}],
    ["the variable", BASE, undefined, all("http://127.0.0.1:4318")],
    ["the flag", {}, "https://collector.example/otlp/", all("https://collector.example/otlp")],
    ["the flag before the variables", BASE, "http://localhost:1", all("http://localhost:1")],
    ["it is disabled", { ...BASE, OTEL_SDK_DISABLED: "TRUE" }, undefined, {}],
    [
      "one signal alone, at an address of its own",
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:9999/in" },
      undefined,
      { traces: "http://127.0.0.1:9999/in" },
    ],
    [
      "a signal that nobody wants",
      { ...BASE, OTEL_LOGS_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" },
      undefined,
      { traces: "http://127.0.0.1:4318/v1/traces" },
    ],
  ])("%s", (_what, environment, flag, urls) => {
    expect(read(environment, flag)).toMatchObject({ urls, warnings: [] });
  });

  test("telemetry settings: signals are sent as protobuf unless JSON is set, for all of them or for one", () => {
    expect(read(BASE).protocols).toEqual(["http/protobuf", "http/protobuf", "http/protobuf"]);
    expect(read({ ...BASE, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" }).protocols).toEqual([
      "http/json",
      "http/json",
      "http/json",
    ]);
    expect(read({ ...BASE, OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: "http/json" }).protocols).toEqual([
      "http/protobuf",
      "http/json",
      "http/protobuf",
    ]);
  });

  test.each([
    ["a protocol that we do not speak", { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, /PROTOCOL=grpc.*4318$/],
    [
      "an exporter that we do not have",
      { OTEL_TRACES_EXPORTER: "console" },
      /TRACES_EXPORTER=console.*no traces/,
    ],
    [
      "an address that is none",
      { OTEL_EXPORTER_OTLP_ENDPOINT: "127.0.0.1:4318" },
      /_ENDPOINT is not an http/,
    ],
  ])("%s is one line that says what is not sent", (_what, environment, line) => {
    const { urls, warnings } = read({ ...BASE, ...environment });
    expect(warnings).toEqual([expect.stringMatching(line)]);
    expect(urls).not.toHaveProperty("traces");
  });
});
