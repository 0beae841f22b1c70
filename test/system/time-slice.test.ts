import { describe, expect, test } from "vitest";
import { workThrough } from "../../src/registry/scan/paced-queue.ts";
import { createPace, type Pace } from "../../src/system/time-slice.ts";

/** A pace whose clock only moves when told to. */
function paceAt(options?: { isLeisurely: () => boolean }) {
  let time = 0;
  let [given, taken] = [0, 0];
  const turns = () => ({ voluntaryContextSwitches: given, involuntaryContextSwitches: taken });
  const pace = createPace(() => time, { ...options, turns });
  return {
    pace,
    waitForDisk: () => void given++,
    letOthersRun: () => void taken++,
    pass(ms: number): number {
      time += ms;
      return time;
    },
  };
}

describe("the disk is asked synchronously", () => {
  test("for as long as it answers quickly", () => {
    const { pace, pass } = paceAt();
    for (let call = 0; call < 1_000; call++) pace.took(pass(0), pass(1), 1);
    expect(pace.isQuick()).toBe(true);
  });

  test("also when a folder of ten thousands takes its time", () => {
    const { pace, pass } = paceAt();
    pace.took(pass(0), pass(150), 10_000);
    expect(pace.isQuick()).toBe(true);
  });

  test("not after a call that took long for what there was to it", () => {
    const { pace, pass, waitForDisk, letOthersRun } = paceAt();
    waitForDisk();
    letOthersRun();
    pace.took(pass(0), pass(150), 1);
    expect(pace.isQuick()).toBe(false);
  });

  test("also after one that took long because others had their turn", () => {
    const { pace, pass, letOthersRun } = paceAt();
    letOthersRun();
    pace.took(pass(0), pass(150), 1);
    expect(pace.isQuick()).toBe(true);
  });

  test("again when the thread pool has answered often and quickly", () => {
    const { pace, pass } = paceAt();
    pace.took(pass(0), pass(150), 1);
    let answers = 0;
    for (; !pace.isQuick(); answers++) {
      pass(0.1);
      pace.answered();
    }
    expect(answers).toBeGreaterThan(10);
  });

  test("not for as long as the thread pool is slow too", () => {
    const { pace, pass } = paceAt();
    pace.took(pass(0), pass(150), 1);
    for (let answer = 0; answer < 2_000; answer++) {
      pass(20);
      pace.answered();
    }
    expect(pace.isQuick()).toBe(false);
  });
});

describe("room for others is made", () => {
  test("when a slice is over, not before", async () => {
    const { pace, pass } = paceAt();
    pass(1);
    expect(pace.rest()).toBeUndefined();
    pass(10);
    const rest = pace.rest();
    expect(rest).toBeInstanceOf(Promise);
    // Whoever works by the same pace rests too.
    expect(pace.rest()).toBe(rest);
    await rest;
    expect(pace.rest()).toBeUndefined();
  });

  test("sooner while nobody waits", () => {
    const hurried = paceAt();
    const leisurely = paceAt({ isLeisurely: () => true });
    for (const { pass } of [hurried, leisurely]) pass(3);
    expect(hurried.pace.rest()).toBeUndefined();
    expect(leisurely.pace.rest()).toBeInstanceOf(Promise);
  });
});

describe("a queue", () => {
  const always = (isQuick: () => boolean): Pace => ({
    isQuick,
    took: () => {},
    answered: () => {},
    rest: () => undefined,
  });

  /** Quick and slow for one, two, three … questions. */
  function nowThisNowThat(): () => boolean {
    let [asked, length] = [0, 1];
    let isQuick = true;
    return () => {
      if (++asked > length) {
        [asked, length] = [0, length + 1];
        isQuick = !isQuick;
      }
      return isQuick;
    };
  }

  test.each([
    ["by a quick disk", () => true],
    ["by a slow disk", () => false],
    ["by a disk that is now this, now that", nowThisNowThat()],
  ])("is worked through once and whole %s, also what is added meanwhile", async (_how, isQuick) => {
    const queue = Array.from({ length: 100 }, (_, index) => index);
    const done: number[] = [];
    const take = (item: number): void => {
      done.push(item);
      if (item < 100) queue.push(item + 1_000);
    };
    await workThrough(queue, always(isQuick), {
      now(item) {
        take(item);
        return 1;
      },
      async later(item) {
        await Promise.resolve();
        take(item);
      },
      large: {
        is: (item) => item % 7 === 0,
        async inSteps(item) {
          await Promise.resolve();
          take(item);
        },
      },
    });
    expect(done.toSorted((a, b) => a - b)).toEqual(queue.toSorted((a, b) => a - b));
    expect(done).toHaveLength(200);
  });

  test("is worked through in steps where there is much to an item", async () => {
    const inSteps: number[] = [];
    await workThrough(
      [1, 2, 3, 4],
      always(() => true),
      {
        now: (item) => item,
        later: () => Promise.reject(new Error("the disk is quick")),
        large: { is: (item) => item >= 3, inSteps: async (item) => void inSteps.push(item) },
      },
    );
    expect(inSteps).toEqual([3, 4]);
  });
});
