import { expect, test } from "vitest";
import { singleFlight } from "../../src/tasks/single-flight.ts";

/** A function whose runs end when told to, and that knows how many run at once. */
function controlledRuns() {
  const runs: { readonly end: () => void; readonly fail: (error: Error) => void }[] = [];
  let active = 0;
  let mostActive = 0;
  const call = singleFlight(async (): Promise<number> => {
    const number = runs.length + 1;
    mostActive = Math.max(mostActive, ++active);
    try {
      await new Promise<void>((resolve, reject) => runs.push({ end: resolve, fail: reject }));
    } finally {
      active--;
    }
    return number;
  });
  const run = (number: number) => {
    const started = runs[number - 1];
    if (started === undefined) throw new Error(`Run ${number} has not started.`);
    return started;
  };
  return { call, run, started: () => runs.length, mostActive: () => mostActive };
}

/** Lets everything that is due happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("a call when nothing runs starts a run at once", async () => {
  const { call, run, started } = controlledRuns();
  const first = call();
  expect(started()).toBe(1);
  run(1).end();
  expect(await first).toBe(1);
});

test("a call during a run gets the result of the next run, not of the running one", async () => {
  const { call, run, started } = controlledRuns();
  const first = call();
  const second = call();
  await settle();
  expect(started()).toBe(1);
  run(1).end();
  expect(await first).toBe(1);
  await settle();
  run(2).end();
  expect(await second).toBe(2);
});

test("all calls during a run share one next run", async () => {
  const { call, run, started } = controlledRuns();
  const first = call();
  const waiting = [call(), call(), call()];
  run(1).end();
  await first;
  await settle();
  run(2).end();
  expect(await Promise.all(waiting)).toEqual([2, 2, 2]);
  await settle();
  expect(started()).toBe(2);
});

test("a call during the next run gets the one after it", async () => {
  const { call, run } = controlledRuns();
  const first = call();
  const second = call();
  run(1).end();
  await first;
  await settle();
  const third = call();
  run(2).end();
  expect(await second).toBe(2);
  await settle();
  run(3).end();
  expect(await third).toBe(3);
});

test("a failed run fails its own callers, and the next run answers the others", async () => {
  const { call, run } = controlledRuns();
  const first = call();
  const second = call();
  run(1).fail(new Error("the disk is gone"));
  await expect(first).rejects.toThrow("the disk is gone");
  await settle();
  run(2).end();
  expect(await second).toBe(2);
});

test("a failed next run fails all who share it, and the one after it works", async () => {
  const { call, run } = controlledRuns();
  const first = call();
  const waiting = Promise.allSettled([call(), call()]);
  run(1).end();
  await first;
  await settle();
  run(2).fail(new Error("again"));
  expect((await waiting).map((result) => result.status)).toEqual(["rejected", "rejected"]);
  const third = call();
  run(3).end();
  expect(await third).toBe(3);
});

test("a caller that calls again as soon as it is answered never makes two run at once", async () => {
  const { call, run, started, mostActive } = controlledRuns();
  // Its answer comes before that of the call that waits, so it calls while the next run is due but not begun.
  const again = call().then(() => call());
  const waiting = call();
  run(1).end();
  await settle();
  for (let number = 2; number <= started(); number++) {
    run(number).end();
    await settle();
  }
  await Promise.all([again, waiting]);
  expect(mostActive()).toBe(1);
});

test("many callers at random moments: one run at a time, and every answer is newer than its call", async () => {
  let active = 0;
  let begun = 0;
  const call = singleFlight(async () => {
    const number = ++begun;
    expect(++active).toBe(1);
    for (let turn = 0; turn < number % 4; turn++) await settle();
    active--;
    return number;
  });
  const caller = async (id: number) => {
    for (let round = 0; round < 50; round++) {
      for (let turn = 0; turn < (id * round) % 3; turn++) await settle();
      const before = begun;
      expect(await call()).toBeGreaterThan(before);
    }
  };
  await Promise.all([1, 2, 3, 4, 5].map(caller));
});
