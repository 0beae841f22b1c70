import type { Scope } from "./principal.ts";

/** So many at once, and then so many a second. */
interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** How often one subject may ask for what. What needs more than reading has a rate of its own besides. */
export type Rates = Readonly<Record<Scope, Rate>>;

interface Bucket {
  left: number;
  at: number;
}

/** A subject whose bucket is full again need not be remembered; beyond so many we look for those. */
const MOST_REMEMBERED = 10_000;
/** No larger batch is answered, and one that is refused must not keep its sender out for hours. */
const MOST_COUNTED = 100;

/** Counts what each subject asks for. Where nobody needs to say who they are, nothing is counted. */
export interface RateLimiter {
  /** How many seconds to wait before asking again; 0: it may be done now. */
  take(subject: string | undefined, scopes: readonly Scope[]): number;
}

export function createRateLimiter(rates: Rates, now: () => number = () => performance.now()): RateLimiter {
  const takers = new Map(
    (Object.keys(rates) as Scope[]).map((scope) => [scope, createBuckets(rates[scope], now)]),
  );
  return {
    take(subject, scopes) {
      if (subject === undefined) return 0;
      const waits = [...takers].map(([scope, take]) => {
        // Everything is a request; what runs or administers is that besides.
        const wanted =
          scope === "skills:read" ? scopes.length : scopes.filter((item) => item === scope).length;
        return wanted === 0 ? 0 : take(subject, Math.min(wanted, MOST_COUNTED));
      });
      return Math.max(...waits);
    },
  };
}

function createBuckets({ burst, perSecond }: Rate, now: () => number) {
  const buckets = new Map<string, Bucket>();
  const levelOf = ({ left, at }: Bucket): number => Math.min(burst, left + ((now() - at) / 1000) * perSecond);

  return (subject: string, wanted: number): number => {
    const bucket = buckets.get(subject);
    const level = bucket === undefined ? burst : levelOf(bucket);
    // More at once than there may ever be passes when the bucket is full, and leaves a debt.
    const missing = Math.min(wanted, burst) - level;
    if (missing > 0) return Math.ceil(missing / perSecond);
    if (buckets.size >= MOST_REMEMBERED) {
      for (const [name, other] of buckets) if (levelOf(other) >= burst) buckets.delete(name);
    }
    buckets.set(subject, { left: level - wanted, at: now() });
    return 0;
  };
}
