import type { TokenBuckets } from "#fleet";
import type { Scope } from "./principal.ts";

type Takings = Parameters<TokenBuckets["take"]>[1];

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

/**
 * Limits the requests of each subject. Without authentication there is no subject and no limit. Both functions return how
 * many seconds to wait before the next try; 0: allowed now.
 */
export interface RateLimiter {
  /** Counts a request before its body is read, as one message. */
  request(subject: string | undefined): number | Promise<number>;
  /** Counts the messages that the body holds beyond the first one, and what each of them does. */
  messages(subject: string | undefined, scopes: readonly Scope[]): number | Promise<number>;
}

/** Counts across replicas, and by itself what Redis does not answer in time. */
export function createSharedRates(rates: Rates, buckets: TokenBuckets): RateLimiter {
  const own = createRateLimiter(rates);
  const taking = (scope: Scope, wanted: number, taken: number): Takings =>
    wanted <= 0 ? [] : [{ name: scope, ...rates[scope], wanted: Math.min(wanted, MAX_COUNTED), taken }];
  const take = async (subject: string, takings: Takings, alone: () => number): Promise<number> => {
    if (takings.length === 0) return 0;
    const wait = await buckets.take(subject, takings);
    if (wait === undefined) return alone();
    // What is allowed counts here too, for when Redis is away.
    if (wait === 0) alone();
    return wait;
  };
  return {
    request: (subject) =>
      subject === undefined ? 0 : take(subject, taking("skills:read", 1, 0), () => own.request(subject)),
    messages(subject, scopes) {
      if (subject === undefined) return 0;
      const countOf = (scope: Scope): number => scopes.filter((item) => item === scope).length;
      const takings = [
        ...taking("skills:run", countOf("skills:run"), 0),
        ...taking("skills:admin", countOf("skills:admin"), 0),
        ...taking("skills:read", Math.min(scopes.length, MAX_COUNTED) - 1, 1),
      ];
      return take(subject, takings, () => own.messages(subject, scopes));
    },
  };
}

/** Counts in this process. */
export function createRateLimiter(rates: Rates, now: () => number = () => performance.now()) {
  const read = createBuckets(rates["skills:read"], now);
  const limiters = (["skills:run", "skills:admin"] as const).map(
    (scope) => [scope, createBuckets(rates[scope], now)] as const,
  );
  return {
    request: (subject: string | undefined): number => (subject === undefined ? 0 : read.take(subject, 1, 0)),
    messages(subject: string | undefined, scopes: readonly Scope[]): number {
      if (subject === undefined) return 0;
      const waits = limiters.map(([scope, { take }]) => {
        const wanted = scopes.filter((item) => item === scope).length;
        return wanted === 0 ? 0 : take(subject, Math.min(wanted, MAX_COUNTED), 0);
      });
      const more = Math.min(scopes.length, MAX_COUNTED) - 1;
      return Math.max(...waits, more <= 0 ? 0 : read.take(subject, more, 1));
    },
    /** How many subjects have a bucket. */
    get size(): number {
      return Math.max(read.buckets.size, ...limiters.map(([, { buckets }]) => buckets.size));
    },
  };
}

function createBuckets({ burst, perSecond }: Rate, now: () => number) {
  const buckets = new Map<string, { readonly left: number; readonly at: number }>();
  const levelOf = (subject: string): number => {
    const { left, at } = buckets.get(subject) ?? { left: burst, at: 0 };
    return Math.min(burst, left + ((now() - at) / 1000) * perSecond);
  };
  /** `taken`: what the same request took before. */
  const take = (subject: string, wanted: number, taken: number): number => {
    const level = levelOf(subject);
    // A batch larger than the burst passes when the bucket was full, and leaves a debt.
    const missing = Math.min(wanted, burst - taken) - level;
    if (missing > 0) return Math.ceil(missing / perSecond);
    if (buckets.size >= MAX_SUBJECTS) {
      for (const name of buckets.keys()) if (levelOf(name) >= burst) buckets.delete(name);
    }
    buckets.set(subject, { left: level - wanted, at: now() });
    return 0;
  };
  return { buckets, take };
}
