import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCappedOutput, createLineFeed, createLineLimit } from "../../src/process/process-output.ts";

function capped(maxBytes: number, ...chunks: readonly Uint8Array[]): { text: string; cut: boolean } {
  const output = createCappedOutput(maxBytes);
  for (const chunk of chunks) output.push(chunk);
  return output.read();
}

describe("a capped output", () => {
  test.each<[string, number, string | readonly number[], string, boolean]>([
    ["keeps what fits", 5, "hello", "hello", false],
    ["keeps nothing of nothing", 5, "", "", false],
    ["cuts what does not fit", 4, "hello", "hell", true],
    ["keeps nothing with a cap of nothing", 0, "hello", "", true],
    ["counts bytes, not characters", 4, "éééé", "éé", true],
    ["leaves out half of a two-byte character", 5, "éééé", "éé", true],
    ["leaves out two thirds of a three-byte character", 5, "€€", "€", true],
    ["leaves out three quarters of a four-byte character", 7, "🙂🙂", "🙂", true],
    ["keeps a character that just fits", 8, "🙂🙂", "🙂🙂", false],
    ["replaces bytes that are not UTF-8", 20, [0x61, 0xff, 0x62], "a\ufffdb", false],
    ["replaces an end that the script itself left open", 20, [0x61, 0xc3], "a\ufffd", false],
    ["keeps within the cap when replacements grow", 4, [0xff, 0xff, 0xff], "\ufffd", true],
    ["keeps a byte order mark", 20, [0xef, 0xbb, 0xbf, 0x61], "\ufeffa", false],
    ["keeps NUL", 20, [0x61, 0, 0x62], "a\0b", false],
  ])("%s", (_what, cap, content, text, cut) => {
    const bytes = Buffer.from(typeof content === "string" ? content : Uint8Array.from(content));
    expect(capped(cap, bytes)).toEqual({ text, cut });
  });

  test("equals cutting the whole at once, however it arrives", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme" })),
        fc.nat(40),
        fc.integer({ min: 1, max: 5 }),
        (parts, cap, step) => {
          const whole = Buffer.from(parts.join(""));
          const chunks = Array.from({ length: Math.ceil(whole.length / step) }, (_, index) =>
            whole.subarray(index * step, (index + 1) * step),
          );
          const { text, cut } = capped(cap, ...chunks);
          // The obvious: whole characters as long as they fit.
          let expected = "";
          for (const character of whole.toString()) {
            if (Buffer.byteLength(expected + character) > cap) break;
            expected += character;
          }
          expect({ text, cut }).toEqual({ text: expected, cut: whole.length > cap });
        },
      ),
    );
  });

  test("never gives more bytes than the cap, nor half a character, for any bytes", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 30 })), fc.nat(60), (chunks, cap) => {
        const output = createCappedOutput(cap);
        for (const chunk of chunks) output.push(chunk);
        const { text } = output.read();
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(cap);
        expect(Buffer.from(text).toString()).toBe(text);
        expect(output.seen()).toBe(Buffer.concat(chunks).length);
      }),
    );
  });
});

function feed(...chunks: readonly (string | Buffer)[]): readonly string[] {
  const lines: string[] = [];
  const { push, end } = createLineFeed(
    (line) => lines.push(line),
    () => true,
  );
  for (const chunk of chunks) push(Buffer.from(chunk));
  end();
  return lines;
}

describe("the lines of a running script", () => {
  test.each<[string, readonly (string | Buffer)[], readonly string[]]>([
    ["come one by one", ["a\nb\n"], ["a", "b"]],
    ["are put together from parts", ["a", "b\nc", "\n"], ["ab", "c"]],
    ["include a last one that nothing ended", ["a\nb"], ["a", "b"]],
    ["leave out empty ones", ["\n\na\n \n"], ["a"]],
    ["lose their carriage return", ["a\r\nb\r\n"], ["a", "b"]],
    ["hold no control characters", ["\u001b[31mred\u0007\u0000\n"], ["[31mred"]],
    ["keep characters that two chunks share", [Buffer.from([0xc3]), Buffer.from([0xa9, 10])], ["é"]],
    ["are shortened", [`${"x".repeat(700)}\n`], [`${"x".repeat(499)}…`]],
    ["are shortened though nothing ends them", ["x".repeat(5000), "x".repeat(5000)], [`${"x".repeat(499)}…`]],
  ])("%s", (_what, chunks, lines) => {
    expect(feed(...chunks)).toEqual(lines);
  });

  test("are only so many a second, and again in the next", () => {
    let now = 0;
    const lines: string[] = [];
    const { push } = createLineFeed(
      (line) => lines.push(line),
      createLineLimit(() => now),
    );
    push(Buffer.from("y\n".repeat(10_000)));
    expect(lines).toHaveLength(20);
    now = 999;
    push(Buffer.from("y\n"));
    expect(lines).toHaveLength(20);
    now = 1000;
    push(Buffer.from("next\n"));
    expect(lines.slice(20)).toEqual(["next"]);
  });
});
