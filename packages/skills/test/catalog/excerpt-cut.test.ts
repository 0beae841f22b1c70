import { describe, expect, test } from "vitest";
import { bestExcerpt } from "../../src/catalog/excerpt.ts";

describe("a passage of twenty characters", () => {
  test.each([
    [
      "from the beginning, if that is five characters away",
      "abcd needle one two three four five",
      "abcd needle one…",
    ],
    [
      "from the word, if the beginning is six away",
      "abcde needle one two three four five",
      "…needle one two…",
    ],
    [
      "from the sentence, if that is near",
      "One two three. A needle four five six seven",
      "…A needle four five…",
    ],
    ["from the last of several sentences", "One two. B. needle four five six seven", "…needle four five…"],
    [
      "from the heading, if that is near",
      "One two three # A needle four five six seven",
      "…A needle four five…",
    ],
    ["from the last of several headings", "One two # # needle four five six seven", "…needle four five…"],
    ["from a few words before", "One two a b needle four five six seven", "…a b needle four…"],
    ["from inside a word", "abcdefghij-needle four five six seven", "…needle four five…"],
    ["to the end, if that fits", "abcdefghij-needle four sixers", "…needle four sixers"],
    ["to a word, if the end does not fit", "abcdefghij-needle four sixerss", "…needle four…"],
    ["to a word in its second half", "needle-for abcdefghijklmnop", "needle-for…"],
    ["into a word that begins in its first half", "needle-or abcdefghijklmnop", "needle-or abcdefgh…"],
    [
      "into a word that begins in its first half, although it begins later in the text",
      "abcdefghij-needle-or abcdefghijklmnop",
      "…needle-or abcdefgh…",
    ],
    ["to whole characters", `needle ${"😀".repeat(8)}`, `needle ${"😀".repeat(5)}…`],
    ["to whole characters, and no fewer", `needle a${"😀".repeat(8)}`, `needle a${"😀".repeat(5)}…`],
    [
      "to whole characters, also the first beyond the basic plane",
      `needle ${"\u{10000}".repeat(8)}`,
      `needle ${"\u{10000}".repeat(5)}…`,
    ],
    [
      "to whole characters, also the last one of all",
      `needle ${"\u{10ffff}".repeat(8)}`,
      `needle ${"\u{10ffff}".repeat(5)}…`,
    ],
  ])("goes %s", (_, text, cut) => {
    expect(bestExcerpt(text, ["needle"], 20)).toEqual({ text: cut, found: 1 });
  });
});

test.each([
  ["abcd", 4, "abcd"],
  ["abcde", 4, "ab…"],
  ["a bcdefgh", 4, "a…"],
])("%j in %i characters is %j", (text, length, cut) => {
  expect(bestExcerpt(text, [], length).text).toBe(cut);
});

test.each([
  ["ends there", "a ".repeat(9_997), 1],
  ["goes on", `${"a ".repeat(9_997)}.`, 0],
])("the first 20,000 characters are searched: a word that %s", (_, before, found) => {
  expect(bestExcerpt(`${before}needle`, ["needle"], 20).found).toBe(found);
});

test.each([
  [400, 2],
  [401, 1],
])("a better passage at place %i of a word has %i words", (place, found) => {
  const text = `${"pin ".repeat(place)}needle`;
  expect(bestExcerpt(text, ["pin", "needle"], 12).found).toBe(found);
});
