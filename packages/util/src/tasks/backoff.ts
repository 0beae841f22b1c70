export interface BackoffOptions {
  readonly firstMs: number;
  readonly longestMs: number;
  /** From 0 to 1. */
  readonly random: number;
}

/**
 * How long to wait after so many failures in a row: exponential, with jitter over the upper half, because the servers of a
 * whole team fail at the same moment.
 */
export function backoffMs(failures: number, { firstMs, longestMs, random }: BackoffOptions): number {
  // Past 2^20 the longest wait has long been reached, and 2^1024 is not a finite number.
  const wait = Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 20));
  return Math.ceil(wait * (0.5 + random / 2));
}
