import { describe, expect, test } from "vitest";
import { createRunQueue } from "../../src/scripts/run-queue.ts";

const FOREVER = new AbortController().signal;

/** Enters and notes when it was let in. */
function enterAll(queue: ReturnType<typeof createRunQueue>, names: readonly string[], log: string[]) {
  return names.map(async (name) => {
    const leave = await queue.enter(name, FOREVER);
    log.push(name);
    return leave;
  });
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the queue of runs", () => {
  test("lets in so many at once and the others in the order they came", async () => {
    const queue = createRunQueue(2, 5);
    const log: string[] = [];
    const [a, b, c, d] = enterAll(queue, ["a", "b", "c", "d"], log);
    await settled();
    expect(log).toEqual(["a", "b"]);
    (await b)?.();
    await settled();
    expect(log).toEqual(["a", "b", "c"]);
    (await c)?.();
    await settled();
    expect(log).toEqual(["a", "b", "c", "d"]);
    (await a)?.();
    (await d)?.();
  });

  test("refuses one more than may wait, and says what to do", async () => {
    const queue = createRunQueue(1, 1);
    void enterAll(queue, ["a", "b"], []);
    await expect(queue.enter("ui: c.sh", FOREVER)).rejects.toMatchObject({
      detail: { code: "library", reason: "busy" },
      message: expect.stringMatching(/^ui: c\.sh: 1 scripts are running and 1 are waiting.*Retry/),
    });
  });

  test("lets one that is cancelled while it waits go, and gives its place to the next", async () => {
    const queue = createRunQueue(1, 1);
    const log: string[] = [];
    const [a] = enterAll(queue, ["a"], log);
    const impatient = new AbortController();
    const b = queue.enter("b", impatient.signal);
    impatient.abort();
    await expect(b).rejects.toMatchObject({ detail: { code: "library", reason: "cancelled" } });
    const [c] = enterAll(queue, ["c"], log);
    (await a)?.();
    await c;
    expect(log).toEqual(["a", "c"]);
  });

  test("does not let in one that was cancelled before it came", async () => {
    const queue = createRunQueue(1, 1);
    await expect(queue.enter("a", AbortSignal.abort())).rejects.toMatchObject({
      detail: { reason: "cancelled" },
    });
    await expect(queue.enter("b", FOREVER)).resolves.toBeTypeOf("function");
  });
});
