import { symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { createDirectDisk, POOLED_DISK, withOpenFile } from "../../src/files/file-system.ts";

/** A clock by which each of the first `quick` calls takes no time, and every later one 40 ms. */
function slowAfter(quick: number): () => number {
  let asked = 0;
  return () => Math.max(0, asked++ - 2 * quick) * 40;
}

describe("a disk that is called directly", () => {
  test("answers at once while calls are quick", () => {
    const file = createSandbox().write("a.txt", "text");
    const disk = createDirectDisk(slowAfter(1_000));
    for (let call = 0; call < 100; call++) expect(disk.lstat(file)).toMatchObject({ size: 4 });
  });

  test("the direct disk goes through the thread pool once calls are slow", async () => {
    const file = createSandbox().write("a.txt", "text");
    const disk = createDirectDisk(slowAfter(5));
    const answers = Array.from({ length: 20 }, () => disk.lstat(file));
    const pooled = answers.findIndex((answer) => answer instanceof Promise);
    expect(pooled).toBeGreaterThan(5);
    expect(pooled).toBeLessThan(10);
    for (const answer of answers) expect(await answer).toMatchObject({ size: 4 });
  });
});

test("the direct disk stays direct when single calls are slow", () => {
  const file = createSandbox().write("a.txt", "text");
  let time = 0;
  let asked = 0;
  const disk = createDirectDisk(() => (time += ++asked % 400 === 0 ? 50 : 0));
  for (let call = 0; call < 2_000; call++) expect(disk.lstat(file)).not.toBeInstanceOf(Promise);
});

describe.each([
  ["directly", () => createDirectDisk(() => 0)],
  ["through the thread pool", () => POOLED_DISK],
])("called %s", (_how, open) => {
  test("a missing file has no stats, and a missing folder cannot be listed", async () => {
    const missing = createSandbox().path("missing");
    expect(await open().lstat(missing)).toBeUndefined();
    expect(await open().list(missing)).toMatchObject({ failure: { code: "ENOENT" } });
  });

  test("a file is read from its start, up to what there is", async () => {
    const file = createSandbox().write("a.txt", "some text");
    const read = (length: number): Promise<string> =>
      withOpenFile(file, async ({ readStart }) => (await readStart(length)).toString(), open());
    expect([await read(4), await read(100)]).toEqual(["some", "some text"]);
  });

  test("a link in the place of a file is not followed", async () => {
    const sandbox = createSandbox();
    symlinkSync(sandbox.write("target", "secret"), sandbox.path("link"));
    await expect(withOpenFile(sandbox.path("link"), () => {}, open())).rejects.toThrow(/ELOOP/);
  });
});
