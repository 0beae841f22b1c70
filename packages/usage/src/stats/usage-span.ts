import type { Span } from "../history/summarise.ts";

export const MOST_USAGE_DAYS = 3650;
const DAY_MS = 24 * 60 * 60_000;

/**
 * The days from the one that `7d` or `2026-11-01` means until today, in UTC; undefined for any other text, and for a
 * day in the future.
 */
export function usageSpan(since: string, now: number): Span | undefined {
  const until = dayOf(now);
  const days = /^(\d{1,5})d$/.exec(since)?.[1];
  if (days !== undefined && Number(days) >= 1 && Number(days) <= MOST_USAGE_DAYS) {
    return { since: dayOf(now - (Number(days) - 1) * DAY_MS), until };
  }
  const time = /^\d{4}-\d\d-\d\d$/.test(since) ? Date.parse(since) : Number.NaN;
  // The 31st of February is read as the 3rd of March.
  const isDay = !Number.isNaN(time) && dayOf(time) === since;
  return isDay && since <= until && time >= now - MOST_USAGE_DAYS * DAY_MS ? { since, until } : undefined;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
