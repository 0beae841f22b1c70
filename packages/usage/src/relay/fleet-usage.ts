import type { DayTally } from "../history/day-tally.ts";
import { daysBetween, type Span } from "../history/summarise.ts";
import { pseudonymOf, type QueryText, readSalt, writeSalt } from "../record/query-text.ts";
import { readFleetDays } from "./fleet-counts.ts";
import type { FleetLog, SharedLog } from "./shared-log.ts";

/** Usage of all replicas, in the Redis that they share. */
export interface FleetUsage {
  readonly log: SharedLog;
  /** The key of digests that all replicas have in common. */
  readonly salt: () => Promise<string>;
  /** The counts of one caller or of all. Rejects when Redis does not answer. */
  readonly days: (span: Span, caller?: string) => Promise<readonly DayTally[]>;
  readonly close: () => void;
}

/** `callerAs` is how events in the log name callers. `onConnect` calls back when Redis was replaced, and returns how to stop. */
export function createFleetUsage(
  log: FleetLog,
  ownFolder: string,
  callerAs: QueryText,
  onConnect: (listener: () => void) => () => void,
): FleetUsage {
  const { salt, close } = createFleetSalt(log, ownFolder, onConnect);
  return {
    log,
    salt,
    async days(span, caller) {
      const days = daysBetween(span.since, span.until);
      if (caller === undefined) return readFleetDays(log, days);
      // Nobody knows whose events they were.
      if (callerAs === "off") return [];
      return readFleetDays(log, days, callerAs === "full" ? caller : pseudonymOf(caller, await salt()));
    },
    close,
  };
}

/**
 * The key of digests that all replicas have in common: the first one's. Each stores it as its own, so that an outage changes
 * nothing, and suggests it again to a Redis that has lost it.
 */
function createFleetSalt(log: FleetLog, ownFolder: string, onConnect: (listener: () => void) => () => void) {
  let agreed: Promise<string> | undefined;
  async function agree(): Promise<string> {
    const own = await readSalt(ownFolder);
    const common = await log.agreeOn("salt", own);
    if (common !== own) await writeSalt(ownFolder, common);
    return common;
  }
  const close = onConnect(() => {
    agreed = undefined;
  });
  return {
    async salt(): Promise<string> {
      agreed ??= agree();
      try {
        return await agreed;
      } catch {
        agreed = undefined;
        return readSalt(ownFolder);
      }
    },
    close,
  };
}
