import {
  chmodSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import { createRecentReads } from "../../src/read/skill-texts.ts";

/** As if every file had been written long ago. */
const afterTheGrain = (): number => Date.now() + 60_000;

function readNow(file: string) {
  const stats = statSync(file);
  return { value: { text: readFileSync(file, "utf8") }, stats };
}

function readerOf(now = afterTheGrain) {
  const reads: string[] = [];
  const load = createRecentReads({
    fileOf: (file: string) => file,
    async read(file) {
      reads.push(file);
      return readNow(file);
    },
    now,
  });
  return { load, reads };
}

test("a file that has not changed is read once, and gives the very same value", async () => {
  const file = createSandbox().write("SKILL.md", "first");
  const { load, reads } = readerOf();
  const first = await load(file);
  expect(await load(file)).toBe(first);
  expect(reads).toHaveLength(1);
});

test("a file that changed just now is read each time: a second change may carry the same time", async () => {
  const file = createSandbox().write("SKILL.md", "first");
  const { load, reads } = readerOf(Date.now);
  await load(file);
  await load(file);
  expect(reads).toHaveLength(2);
});

/** As long as the first text, and with its times as far as anyone can set them. */
const CHANGES: Readonly<Record<string, (sandbox: Sandbox, file: string) => void>> = {
  "written in place": (_sandbox, file) => writeFileSync(file, "other"),
  "replaced by another file": (sandbox, file) => renameSync(sandbox.write("new.md", "other"), file),
  "replaced by a link": (sandbox, file) => {
    const target = sandbox.write("new.md", "other");
    rmSync(file);
    symlinkSync(target, file);
  },
};

test.each(Object.entries(CHANGES))("a file that is %s is read again", async (_how, change) => {
  const sandbox = createSandbox();
  const file = sandbox.write("SKILL.md", "first");
  const { atimeMs, mtimeMs, ctimeMs } = statSync(file);
  const { load } = readerOf();
  expect(await load(file)).toEqual({ text: "first" });
  await waitUntil("the clock of the disk has moved on", () => {
    sandbox.write("clock", "");
    return statSync(sandbox.path("clock")).ctimeMs > ctimeMs;
  });
  change(sandbox, file);
  utimesSync(file, atimeMs / 1_000, mtimeMs / 1_000);
  expect(await load(file)).toEqual({ text: "other" });
});

test("what another file held for a moment is not taken for the file that is back", async () => {
  const sandbox = createSandbox();
  const [file, other] = [sandbox.write("SKILL.md", "first"), sandbox.write("other/SKILL.md", "other")];
  let opened = other;
  const load = createRecentReads({
    fileOf: () => file,
    read: async () => readNow(opened),
    now: afterTheGrain,
  });
  expect(await load("skill")).toEqual({ text: "other" });
  opened = file;
  expect(await load("skill")).toEqual({ text: "first" });
});

test("a file that is gone is asked for again, and so is the one that comes back", async () => {
  const sandbox = createSandbox();
  const file = sandbox.write("SKILL.md", "first");
  const { load } = readerOf();
  await load(file);
  rmSync(file);
  await expect(load(file)).rejects.toThrow("ENOENT");
  sandbox.write("SKILL.md", "again");
  expect(await load(file)).toEqual({ text: "again" });
});

test.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
  "a file that may no longer be read is not served from memory",
  async () => {
    const file = createSandbox().write("SKILL.md", "first");
    const { load } = readerOf();
    await load(file);
    chmodSync(file, 0o000);
    await expect(load(file)).rejects.toThrow("EACCES");
  },
);

test("two million characters stay in memory, the last ones that were read", async () => {
  const sandbox = createSandbox();
  const { load, reads } = readerOf();
  const files = ["a", "b", "c"].map((name) => sandbox.write(name, "x".repeat(900_000)));
  for (const file of files) await load(file);
  for (const file of files.toReversed()) await load(file);
  expect(reads).toEqual([...files, files[0]]);
});

test("what several ask for at the same time is counted once", async () => {
  const sandbox = createSandbox();
  const [file = "", other = ""] = ["a", "b"].map((name) => sandbox.write(name, "x".repeat(900_000)));
  let reads = 0;
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const load = createRecentReads({
    fileOf: (name: string) => name,
    async read(name) {
      if (++reads === 3) begin();
      await begun;
      return readNow(name);
    },
    now: afterTheGrain,
  });
  await Promise.all([load(file), load(file), load(file)]);
  await load(other);
  await Promise.all([load(file), load(other)]);
  expect(reads).toBe(4);
});
