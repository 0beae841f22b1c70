import { MACHINE_POLICY, readMachinePolicy } from "#config";
import { NO_TELEMETRY, openTelemetry, readTelemetrySettings, type Telemetry } from "#telemetry";
import type { Log } from "#util";
import type { FlagValues } from "../flags.ts";
import { refuseWrongCollector } from "../plan-server.ts";
import type { SHARED_SERVER_FLAGS } from "../server-flags.ts";

/** A client that disconnects must not wait long for a collector that hangs. */
export const TELEMETRY_DEADLINE_MS = 1_000;

/** Sends telemetry if a flag or the environment asks for it; otherwise nothing of it is loaded. */
export async function openServerTelemetry(
  given: Pick<FlagValues<typeof SHARED_SERVER_FLAGS>, "otlp" | "otlp-content">,
  log: Log,
): Promise<Telemetry> {
  const { otlp, "otlp-content": content } = given;
  refuseWrongCollector(otlp);
  const settings = readTelemetrySettings({ otlp, content }, process.env, log);
  if (settings === undefined) return NO_TELEMETRY;
  const { policy, problems } = await readMachinePolicy();
  if (policy?.telemetry === undefined && problems.length === 0) return openTelemetry({ settings, log });
  log.warn(`nothing is sent by OpenTelemetry: ${MACHINE_POLICY} forbids it or cannot be read`);
  return NO_TELEMETRY;
}
