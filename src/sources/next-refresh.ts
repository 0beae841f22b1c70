const HOUR = 3_600_000;
const FIRST_RETRY_MS = 5_000;

export interface RefreshHistory {
  readonly intervalMs: number;
  /** How many refreshes in a row have failed. */
  readonly failures: number;
  readonly hasContent: boolean;
  /** From 0 to 1. */
  readonly random: number;
}

/**
 * How long to wait for the next refresh. With content, failures double the wait up to an hour, so that a server in trouble is
 * left alone; without any, the first retry comes soon. Both are spread, because a whole team's servers fail at once.
 */
export function nextRefreshMs({ intervalMs, failures, hasContent, random }: RefreshHistory): number {
  if (failures === 0) return intervalMs;
  const doublings = 2 ** Math.min(failures - 1, 20);
  const longest = hasContent
    ? Math.min(intervalMs * doublings, Math.max(intervalMs, HOUR))
    : Math.min(FIRST_RETRY_MS * doublings, intervalMs);
  return Math.ceil(longest * (0.5 + random / 2));
}
