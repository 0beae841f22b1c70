import { describe, expect, test } from "vitest";
import { createLineFeed, createLineLimit } from "../../../src/library/process/line-feed.ts";

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
