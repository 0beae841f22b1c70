import * as fc from "fast-check";
import { expect, test } from "vitest";
import { rounds } from "../../../../test/support/rounds.ts";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { newestLines, readLines, type StoredLine } from "../../src/record/event-writer.ts";

const line = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "é", "字", "😀"), maxLength: 20 }),
  // Longer than what is read at a time.
  fc.integer({ min: 60_000, max: 140_000 }).map((length) => "é".repeat(length)),
);

async function read(file: string): Promise<readonly StoredLine[]> {
  const lines: StoredLine[] = [];
  for await (const some of readLines(file)) lines.push(...some);
  return lines;
}

test("readLines: the lines of a file are those that splitting it gives, with the bytes where they end", async () => {
  const sandbox = createSandbox();
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), fc.boolean(), async (texts, isTorn) => {
      const content = texts.join("\n") + (isTorn || texts.length === 0 ? "" : "\n");
      const file = sandbox.write("lines.jsonl", content);
      const wanted = content.split("\n");
      if (wanted.at(-1) === "") wanted.pop();
      const lines = await read(file);
      expect(lines.map(({ text }) => text)).toEqual(wanted);
      const bytes = Buffer.from(content);
      let start = 0;
      for (const { text, end } of lines) {
        expect(bytes.toString("utf8", start, end).replace(/\n$/, "")).toBe(text);
        start = end;
      }
      expect(start).toBe(bytes.length);
    }),
    rounds(25),
  );
});

test("newestLines: the newest lines that fit begin at a line, and could not begin earlier", async () => {
  const sandbox = createSandbox();
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), fc.nat(1000), async (texts, keep) => {
      const content = texts.map((text) => `${text}\n`).join("");
      const bytes = Buffer.from(content);
      const file = sandbox.write("lines.jsonl", bytes);
      const { from, skipped } = await newestLines(file, keep);
      const starts = (await read(file)).map(({ end }) => end);
      expect(from).toBe(starts.find((start) => bytes.length - start <= keep));
      expect(skipped).toBe(starts.indexOf(from) + 1);
    }),
    rounds(25),
  );
});
