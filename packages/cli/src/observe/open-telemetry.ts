import { NO_TELEMETRY, openTelemetry, readTelemetrySettings, type Telemetry } from "#telemetry";
import type { Log } from "#util";
import { badUsage, type FlagValues } from "../flags.ts";
import type { SHARED_SERVER_FLAGS } from "../server-flags.ts";

/** A client that disconnects must not wait long for a collector that hangs. */
export const TELEMETRY_DEADLINE_MS = 1_000;

/** Sends telemetry if a flag or the environment asks for it; otherwise nothing of it is loaded. */
export async function openServerTelemetry(
  given: Pick<FlagValues<typeof SHARED_SERVER_FLAGS>, "otlp" | "otlp-content">,
  log: Log,
): Promise<Telemetry> {
  const { otlp, "otlp-content": content } = given;
  if (otlp !== undefined && !(URL.canParse(otlp) && /^https?:$/.test(new URL(otlp).protocol)))
    throw badUsage(
      "--otlp",
      `--otlp takes an http or https URL, such as http://127.0.0.1:4318, not '${otlp}'.`,
    );
  const settings = readTelemetrySettings({ otlp, content }, process.env, log);
  return settings === undefined ? NO_TELEMETRY : openTelemetry({ settings, log });
}
