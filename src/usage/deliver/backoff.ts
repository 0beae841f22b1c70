const LONGEST_WAIT_MS = 15 * 60_000;
const LONGEST_RETRY_AFTER_MS = 60 * 60_000;

/** How long to leave an endpoint alone after so many failures in a row: full jitter, so that servers do not return as one. */
export function backoffMs(failures: number, intervalMs: number, random: () => number): number {
  if (failures <= 0) return 0;
  // Past 2^20 the longest wait has long been reached, and 2^1024 would not be a number.
  const ceiling = Math.min(LONGEST_WAIT_MS, intervalMs * 2 ** Math.min(failures - 1, 20));
  return Math.floor(random() * ceiling);
}

/** What a `Retry-After` header asks for: seconds or a date. Never longer than an hour, whatever the endpoint says. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (text === "") return undefined;
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, wait));
}
