import type { DayTally } from "../history/day-tally.ts";
import type { Span } from "../history/summarise.ts";
import type { SharedLog } from "../relay/shared-log.ts";

/** Usage of all replicas, in the Redis that they share. */
export interface FleetUsage {
  readonly log: SharedLog;
  /** The key of digests that all replicas have in common. */
  readonly salt: () => Promise<string>;
  /** The counts of one caller or of all. Rejects when Redis does not answer. */
  readonly days: (span: Span, caller?: string) => Promise<readonly DayTally[]>;
  readonly close: () => void;
}
