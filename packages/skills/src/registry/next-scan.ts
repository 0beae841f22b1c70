/** What decides when everything is scanned next, whatever the watcher reports. */
export interface NextScan {
  readonly intervalMs: number;
  /** The user asked for this very interval. */
  readonly isAsked: boolean;
  /** Changes are reported everywhere. */
  readonly isWatched: boolean;
  /** How much processor time the last whole scan took. */
  readonly costMs: number;
}

// An idle server must not show up among busy processes, however many skills there are.
const PAUSE_PER_COST = 300;
/** Where nothing reports changes, finding them late is worse. */
const PAUSE_PER_COST_UNWATCHED = 30;

export function nextScanIn({ intervalMs, isAsked, isWatched, costMs }: NextScan): number {
  if (isAsked) return intervalMs;
  return Math.max(intervalMs, costMs * (isWatched ? PAUSE_PER_COST : PAUSE_PER_COST_UNWATCHED));
}
