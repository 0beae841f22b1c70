/** What decides when the whole disk is looked at next, whatever the watcher says. */
export interface NextLook {
  readonly intervalMs: number;
  /** Someone asked for this very interval. */
  readonly asked: boolean;
  /** Whether changes are reported everywhere. */
  readonly watched: boolean;
  /** How much processor time the last such look took. */
  readonly costMs: number;
}

// An idle server must not be seen in a list of busy processes, however many skills there are.
const PAUSE_PER_COST = 300;
/** Where nothing reports changes, finding them late is worse. */
const PAUSE_PER_COST_UNWATCHED = 30;

export function nextLookIn({ intervalMs, asked, watched, costMs }: NextLook): number {
  if (asked) return intervalMs;
  return Math.max(intervalMs, costMs * (watched ? PAUSE_PER_COST : PAUSE_PER_COST_UNWATCHED));
}
