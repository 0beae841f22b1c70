import { expect, test } from "vitest";
import { estimateTokens } from "../../../src/mcp/describe/estimate-tokens.ts";

test.each([
  ["", 0],
  ["a", 1],
  ["four", 1],
  ["fives", 2],
  ["\u007f".repeat(4), 1],
  ["\u0080".repeat(3), 2],
  ["字字", 2],
  ["字".repeat(30), 20],
  [`${"word".repeat(10)}${"字".repeat(30)}`, 30],
])("%j is about %i tokens", (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});
