export { NO_TELEMETRY, openTelemetry, type Telemetry } from "./telemetry.ts";
export { readTelemetrySettings } from "./telemetry-settings.ts";
