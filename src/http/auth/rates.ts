import type { Scope } from "./principal.ts";

/** A token bucket. */
interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** Per subject. Every message counts towards skills:read; the other scopes have an additional rate. */
export type Rates = Readonly<Record<Scope, Rate>>;

/** Above this number of subjects, full buckets are dropped: a new bucket starts full anyway. */
export const MAX_SUBJECTS = 10_000;
/** Larger batches are rejected anyway, and must not block their sender for hours. */
const MAX_COUNTED = 100;

/** Limits the requests of each subject. Without authentication there is no subject and no limit. */
export interface RateLimiter {
  /** How many seconds to wait before the next try; 0: allowed now. */
  take(subject: string | undefined, scopes: readonly Scope[]): number;
  /** How many subjects have a bucket. */
  readonly size: number;
}

export function createRateLimiter(rates: Rates, now: () => number = () => performance.now()): RateLimiter {
  const limiters = (Object.keys(rates) as Scope[]).map(
    (scope) => [scope, createBuckets(rates[scope], now)] as const,
  );
  return {
    take(subject, scopes) {
      if (subject === undefined) return 0;
      const waits = limiters.map(([scope, { take }]) => {
        const wanted =
          scope === "skills:read" ? scopes.length : scopes.filter((item) => item === scope).length;
        return wanted === 0 ? 0 : take(subject, Math.min(wanted, MAX_COUNTED));
      });
      return Math.max(...waits);
    },
    get size() {
      return Math.max(...limiters.map(([, { buckets }]) => buckets.size));
    },
  };
}

function createBuckets({ burst, perSecond }: Rate, now: () => number) {
  const buckets = new Map<string, { readonly left: number; readonly at: number }>();
  const levelOf = (subject: string): number => {
    const { left, at } = buckets.get(subject) ?? { left: burst, at: 0 };
    return Math.min(burst, left + ((now() - at) / 1000) * perSecond);
  };
  const take = (subject: string, wanted: number): number => {
    const level = levelOf(subject);
    // A batch larger than the burst passes when the bucket is full, and leaves a debt.
    const missing = Math.min(wanted, burst) - level;
    if (missing > 0) return Math.ceil(missing / perSecond);
    if (buckets.size >= MAX_SUBJECTS) {
      for (const name of buckets.keys()) if (levelOf(name) >= burst) buckets.delete(name);
    }
    buckets.set(subject, { left: level - wanted, at: now() });
    return 0;
  };
  return { buckets, take };
}
