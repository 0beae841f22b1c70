import { expect, test } from "vitest";
import { runQueue } from "../../src/tasks/time-slice.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("an empty queue is done at once", async () => {
  await runQueue([], 4, () => Promise.reject(new Error("never called")));
});

test("every item is worked on once, begun in order", async () => {
  const begun: number[] = [];
  await runQueue(Array.from({ length: 50 }, (_, index) => index).values(), 4, async (item) => {
    begun.push(item);
    await turn();
  });
  expect(begun).toEqual(Array.from({ length: 50 }, (_, index) => index));
});

test("items that are added on the way are worked on before it is done", async () => {
  const done: string[] = [];
  await runQueue(["a"], 3, async (item, add) => {
    await turn();
    if (item.length < 4) for (const letter of "ab") add(item + letter);
    await turn();
    done.push(item);
  });
  expect(done).toHaveLength(1 + 2 + 4 + 8);
  expect(new Set(done).size).toBe(done.length);
});

test("an item that is added last keeps it from being done", async () => {
  const done: number[] = [];
  await runQueue([1], 1, async (item, add) => {
    await turn();
    if (item < 3) add(item + 1);
    done.push(item);
  });
  expect(done).toEqual([1, 2, 3]);
});

test.each([1, 2, 16])("no more than %i run at once, and as many as that do", async (width) => {
  let active = 0;
  let most = 0;
  await runQueue(Array.from({ length: 64 }).keys(), width, async () => {
    most = Math.max(most, ++active);
    await turn();
    active--;
  });
  expect(most).toBe(width);
});

test("the first error is the answer", async () => {
  const queue = runQueue([3, 1, 2], 3, async (item) => {
    for (let turns = 0; turns < item; turns++) await turn();
    throw new Error(`item ${item}`);
  });
  await expect(queue).rejects.toThrow("item 1");
});
