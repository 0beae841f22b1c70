import { expect, test } from "vitest";
import { createTimeSlices, runQueue, runSteps } from "../../src/tasks/time-slice.ts";

/** Slices whose clock only moves when told to. */
function slicesAt() {
  let time = 0;
  return { slices: createTimeSlices(() => time), pass: (ms: number) => void (time += ms) };
}

/** How often the event loop gets a turn while this work runs. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work.finally(() => {
    isDone = true;
  });
  return turns;
}

test("work goes on within a slice and yields after it", async () => {
  const { slices, pass } = slicesAt();
  expect(slices.yieldIfDue()).toBeUndefined();
  pass(10);
  const pause = slices.yieldIfDue();
  expect(pause).toBeInstanceOf(Promise);
  await pause;
  expect(slices.yieldIfDue()).toBeUndefined();
});

test("loops that share their slices yield together", async () => {
  const { slices, pass } = slicesAt();
  pass(10);
  const pause = slices.yieldIfDue();
  expect(slices.yieldIfDue()).toBe(pause);
  await pause;
});

test("a generator runs to its end, with turns for others in between", async () => {
  const { slices, pass } = slicesAt();
  function* steps(): Generator<number, string, undefined> {
    for (let step = 0; step < 50; step++) {
      pass(10);
      yield step;
    }
    return "done";
  }
  const result = runSteps(steps(), slices);
  expect(await turnsDuring(result)).toBeGreaterThanOrEqual(40);
  expect(await result).toBe("done");
});

test("a queue whose work never waits yields too, and does everything in order", async () => {
  const { slices, pass } = slicesAt();
  const done: number[] = [];
  const work = async (item: number): Promise<void> => {
    pass(10);
    done.push(item);
  };
  const items = Array.from({ length: 100 }, (_, index) => index);
  expect(await turnsDuring(runQueue(items, 4, work, slices))).toBeGreaterThanOrEqual(20);
  expect(done).toEqual(items);
});
