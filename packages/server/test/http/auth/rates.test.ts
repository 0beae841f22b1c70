import { array, assert, constantFrom, integer, property, record } from "fast-check";
import { describe, expect, test } from "vitest";
import { SCOPES } from "../../../src/http/auth/principal.ts";
import { createRateLimiter, MAX_SUBJECTS } from "../../../src/http/auth/rates.ts";

const [READ, RUN, ADMIN] = SCOPES;
const RATES = {
  [READ]: { burst: 3, perSecond: 2 },
  [RUN]: { burst: 2, perSecond: 1 },
  [ADMIN]: { burst: 1, perSecond: 1 / 60 },
};

function limiter() {
  let now = 0;
  const rates = createRateLimiter(RATES, () => now);
  /** A whole request: its head, then its body. */
  const take = (subject: string | undefined, scopes: Parameters<typeof rates.messages>[1]): number =>
    Math.max(rates.request(subject), rates.messages(subject, scopes));
  return { rates, take, pass: (seconds: number) => void (now += seconds * 1000) };
}

describe("the rates of a subject", () => {
  test("so many at once, then so many a second", () => {
    const { take, pass } = limiter();
    expect([1, 2, 3].map(() => take("ann", [READ]))).toEqual([0, 0, 0]);
    expect(take("ann", [READ])).toBe(1);
    expect(take("bob", [READ])).toBe(0);
    pass(0.5);
    expect(take("ann", [READ])).toBe(0);
    expect(take("ann", [READ])).toBe(1);
    pass(1_000);
    expect([1, 2, 3, 4].map(() => take("ann", [READ]))).toEqual([0, 0, 0, 1]);
  });

  test("scripts and refreshes have rates of their own", () => {
    const { take } = limiter();
    expect([1, 2, 3].map(() => take("ann", [RUN]))).toEqual([0, 0, 1]);
    expect(take("bob", [ADMIN])).toBe(0);
    expect(take("bob", [ADMIN])).toBe(60);
    expect(take("bob", [READ])).toBe(0);
  });

  test("a batch counts as what it holds, and one that is too big for ever leaves a debt", () => {
    const { take, pass } = limiter();
    expect(take("ann", [READ, READ, READ, READ, READ])).toBe(0);
    expect(take("ann", [READ])).toBe(2);
    pass(1.5);
    expect(take("ann", [READ])).toBe(0);
    // Refused for its size, but counted before that: as 100 at most.
    expect(
      take(
        "bob",
        Array.from({ length: 100_000 }, () => READ),
      ),
    ).toBe(0);
    expect(take("bob", [READ])).toBe(49);
  });

  test("where nobody needs to say who they are, nothing is counted", () => {
    const { take } = limiter();
    for (let count = 0; count < 100; count++) expect(take(undefined, [ADMIN])).toBe(0);
  });

  test("forgets subjects with a full bucket when there are too many, and nobody who still has to wait", () => {
    const { rates, take, pass } = limiter();
    for (let index = 1; index < MAX_SUBJECTS; index++) take(`idle-${index}`, [READ]);
    expect(rates.size).toBe(MAX_SUBJECTS - 1);
    pass(1_000);
    for (let count = 0; count < 3; count++) take("ann", [READ]);
    expect(take("ann", [READ])).toBe(1);
    // The limit is reached: this one makes room.
    expect(take("bob", [READ])).toBe(0);
    expect(rates.size).toBe(2);
    expect(take("ann", [READ])).toBe(1);
    pass(0.5);
    expect([take("ann", [READ]), take("ann", [READ])]).toEqual([0, 1]);
  });

  test("remembers everyone who still has to wait, also beyond the limit", () => {
    const { rates, take } = limiter();
    for (let index = 0; index <= MAX_SUBJECTS; index++) take(`busy-${index}`, [READ, READ, READ]);
    expect(rates.size).toBe(MAX_SUBJECTS + 1);
    expect(take("busy-0", [READ])).toBe(1);
  });

  test("never lets through more than the burst and what the time gives", () => {
    const step = record({ wait: integer({ min: 0, max: 3 }), who: constantFrom("ann", "bob") });
    assert(
      property(array(step, { maxLength: 60 }), (steps) => {
        const { take, pass } = limiter();
        let time = 0;
        const passed = { ann: 0, bob: 0 };
        for (const { wait, who } of steps) {
          pass(wait);
          time += wait;
          if (take(who, [READ]) === 0) passed[who]++;
          expect(passed[who]).toBeLessThanOrEqual(RATES[READ].burst + time * RATES[READ].perSecond);
        }
      }),
    );
  });
});
