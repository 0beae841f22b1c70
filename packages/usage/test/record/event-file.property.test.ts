import * as fc from "fast-check";
import { expect, test } from "vitest";
import { rounds } from "../../../../test/support/rounds.ts";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { newestPart } from "../../src/deliver/part-file.ts";
import { type EventLine, readLines } from "../../src/record/event-file.ts";

const line = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "é", "字", "😀"), maxLength: 20 }),
  // Longer than what is read at a time.
  fc.integer({ min: 60_000, max: 140_000 }).map((length) => "é".repeat(length)),
);

async function read(file: string, from: number): Promise<readonly EventLine[]> {
  const lines: EventLine[] = [];
  for await (const some of readLines(file, from)) lines.push(...some);
  return lines;
}

test("the lines of a file are those that splitting it gives, from any line on", async () => {
  const sandbox = createSandbox();
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 8 }),
      fc.boolean(),
      fc.nat(8),
      async (texts, isTorn, skip) => {
        const content = texts.join("\n") + (isTorn || texts.length === 0 ? "" : "\n");
        const file = sandbox.write("lines.jsonl", content);
        const wanted = content.split("\n");
        if (wanted.at(-1) === "") wanted.pop();
        const all = await read(file, 0);
        expect(all.map(({ text }) => text)).toEqual(wanted);
        const from = all[skip]?.start ?? 0;
        expect(await read(file, from)).toEqual(all.filter(({ start }) => start >= from));
      },
    ),
    rounds(25),
  );
});

test("the newest part of a file begins at a line, fits, and could not begin earlier", async () => {
  const sandbox = createSandbox();
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), fc.nat(1000), async (texts, keep) => {
      const content = texts.map((text) => `${text}\n`).join("");
      const bytes = Buffer.from(content);
      const file = sandbox.write("lines.jsonl", bytes);
      const { from, lines } = await newestPart(file, keep);
      const starts = (await read(file, 0)).map(({ end }) => end);
      expect(from).toBe(starts.find((start) => bytes.length - start <= keep));
      expect(lines).toBe(starts.indexOf(from) + 1);
    }),
    rounds(25),
  );
});
