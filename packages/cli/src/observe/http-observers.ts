import { createHttpObservers } from "#server";
import type { Log } from "#util";
import type { FlagValues } from "../flags.ts";
import type { SHARED_SERVER_FLAGS } from "../server-flags.ts";
import { openServerTelemetry, TELEMETRY_DEADLINE_MS } from "./open-telemetry.ts";

/** Opens what observes a server over HTTP, with OpenTelemetry if a flag asks for it. The caller closes it. */
export async function openHttpObservers(
  given: FlagValues<typeof SHARED_SERVER_FLAGS>,
  ownLog: Log,
): Promise<ReturnType<typeof createHttpObservers> & { close(): Promise<void> }> {
  const telemetry = await openServerTelemetry(given, ownLog);
  const observers = createHttpObservers(telemetry.logTo(ownLog), telemetry);
  return { ...observers, close: () => telemetry.close(TELEMETRY_DEADLINE_MS) };
}
