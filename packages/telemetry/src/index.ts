export { NO_TELEMETRY, openTelemetry, readTelemetrySettings, type Telemetry } from "./telemetry.ts";
