import { describe, expect, test } from "vitest";
import type { SearchDocument } from "../../../src/engine/index/build-segment.ts";
import { createIndexBuilder } from "../../../src/engine/index/search-index.ts";
import type { WordTable } from "../../../src/engine/meaning/embed.ts";
import { firstOther, groupCopies } from "../../../src/engine/rank/rank-skills.ts";
import { runToEnd } from "../../../src/engine/steps.ts";
import { doc } from "../corpora.ts";
import { tableOf } from "../test-table.ts";

const TOPICS = [
  ["zebra", "giraffe", "lion"],
  ["pdf", "form", "paper"],
  ["cluster", "deploy", "server"],
  ["review", "comment", "diff"],
  ["soup", "bread", "cheese"],
];
const TABLE = tableOf(TOPICS);

/** A passage about one topic: long enough to have a vector, and words that no table knows. */
const passage = (topic: number, number: number): string =>
  `# part${number}\n${(TOPICS[topic] ?? []).join(" ")} more${number} words${number} here${number} again${number}\n`;
const bodyOf = (topics: readonly number[]): string =>
  topics.map((topic, number) => passage(topic, number)).join("");

const TEN = [0, 1, 2, 3, 4, 0, 1, 2, 3, 4];
const HEAD = "zebra giraffe lion";

/** Documents, ranked in their order, in an index where others come before and after. */
function ranked(documents: readonly SearchDocument[], table?: WordTable) {
  const builder = createIndexBuilder(table);
  builder.add(doc("before", { description: "soup", body: bodyOf([4, 3, 2]) }));
  for (const document of documents) builder.add(document);
  builder.add(doc("after", { description: "paper", body: bodyOf([1, 4, 3]) }));
  const index = runToEnd(builder.finish());
  return { index, ranked: documents.map(({ id }, at) => ({ id, view: 0, doc: at + 1, score: 9 - at })) };
}

function groupsOf(documents: readonly SearchDocument[], table?: WordTable, most = 9) {
  const { index, ranked: all } = ranked(documents, table);
  return groupCopies(index, all, most).map(({ best, copies }) => [best, ...copies].map(({ id }) => id));
}

const ORIGINAL = doc("original", { name: "zoo", description: HEAD, body: bodyOf(TEN) });
const forkOf = (change: Partial<SearchDocument>) => ({ ...ORIGINAL, id: "fork", ...change });

describe("by meaning, a skill is a copy of another", () => {
  test.each([
    ["with the same text", {}, true],
    ["with a few other words", { body: bodyOf(TEN).replace("more3", "less3") }, true],
    ["with a tenth less of the body", { body: bodyOf(TEN.slice(0, 9)) }, true],
    ["but not with two tenths less", { body: bodyOf(TEN.slice(0, 8)) }, false],
    ["but not with another description", { name: "it", description: "paper cheese diff" }, false],
    ["but not with half of another description", { name: "it", description: "zebra paper" }, false],
    [
      "but not with a passage that is half about something else",
      { body: bodyOf(TEN).replace("zebra giraffe lion", "zebra giraffe lion pdf form paper") },
      false,
    ],
    ["but not with another first passage", { body: bodyOf([1, ...TEN.slice(1)]) }, false],
    ["but not with another last passage", { body: bodyOf([...TEN.slice(0, 9), 0]) }, false],
  ])("%s", (_what, change, isCopy) => {
    const both = [["original", "fork"]];
    expect(groupsOf([ORIGINAL, forkOf(change)], TABLE)).toEqual(isCopy ? both : [["original"], ["fork"]]);
    // Which of the two is better does not matter.
    expect(groupsOf([forkOf(change), ORIGINAL], TABLE)).toHaveLength(isCopy ? 1 : 2);
  });
});

describe("by words alone, a skill is a copy of another", () => {
  test.each([
    ["with the same text", {}, true],
    ["but not with one word more", { body: `${bodyOf(TEN)}extra` }, false],
    ["but not with a word more above the body and one less in it", { keywords: ["more0"] }, false],
    ["but not with one other word", { body: bodyOf(TEN).replace("more3", "less3") }, false],
    ["but not with its first passage at the end", { body: bodyOf([...TEN.slice(1), 0]) }, false],
  ])("%s", (_what, change, isCopy) => {
    expect(groupsOf([ORIGINAL, forkOf(change)])).toHaveLength(isCopy ? 1 : 2);
  });
});

test.each([
  [39, 2],
  [40, 1],
])("two skills with the same %i words are shown as %i", (words, groups) => {
  // The name is one of them.
  const body = Array.from({ length: words - 1 }, (_, number) => `word${number}`).join(" ");
  const twins = ["a", "b"].map((id) => doc(id, { name: "twin", body }));
  expect(groupsOf(twins)).toHaveLength(groups);
  expect(groupsOf(twins, TABLE)).toHaveLength(groups);
});

test("a short skill is no copy of a long one, whichever is better", () => {
  const long = doc("long", { name: "zebra", description: HEAD, body: "zebra ".repeat(36) });
  const short = doc("short", { name: "zebra", description: HEAD, body: "zebra ".repeat(35) });
  expect(groupsOf([long, short], TABLE)).toHaveLength(2);
  expect(groupsOf([short, long], TABLE)).toHaveLength(2);
});

describe("of a ranked list", () => {
  const other = (id: string, topic: number) => doc(id, { body: bodyOf(TEN.map(() => topic)) });
  const list = [ORIGINAL, other("b", 1), forkOf({}), other("c", 2), forkOf({ id: "fork 2" }), other("d", 3)];

  test.each([
    [9, [["original", "fork", "fork 2"], ["b"], ["c"], ["d"]]],
    [3, [["original", "fork", "fork 2"], ["b"], ["c"]]],
    [2, [["original", "fork"], ["b"]]],
    [1, [["original"]]],
  ])("the first %i skills are shown, each with the copies that rank among them", (most, groups) => {
    expect(groupsOf(list, TABLE, most)).toEqual(groups);
  });

  test("the next after the first is the best that is no copy of it", () => {
    const next = (documents: readonly SearchDocument[]) => {
      const { index, ranked: all } = ranked(documents, TABLE);
      return firstOther(index, all)?.id;
    };
    expect(next([ORIGINAL, forkOf({}), other("b", 1)])).toBe("b");
    expect(next([ORIGINAL, forkOf({})])).toBeUndefined();
    expect(next([])).toBeUndefined();
  });
});
