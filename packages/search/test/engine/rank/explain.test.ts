import { expect, test } from "vitest";
import { createIndexBuilder } from "../../../src/engine/index/search-index.ts";
import type { WordTable } from "../../../src/engine/meaning/embed.ts";
import { searchIndex } from "../../../src/engine/rank/rank-skills.ts";
import { runToEnd } from "../../../src/engine/steps.ts";
import { explainRanking } from "../../../src/explain-search.ts";
import { readWordTable } from "../../../src/word-table-file.ts";
import { SKILLS } from "./skills-with-passages.ts";

function indexOf(table: WordTable | undefined) {
  const builder = createIndexBuilder(table);
  for (const document of SKILLS) builder.add(document);
  return runToEnd(builder.finish());
}

const WITH_TABLE = indexOf(await readWordTable());
const WORDS_ALONE = indexOf(undefined);

const explained = (index: typeof WITH_TABLE, query: string, limit = 3) =>
  explainRanking(index, query, { limit }).map(({ id, ...numbers }) => [
    id,
    ...Object.values(numbers).map((number: number) => Math.round(number * 1000) / 1000),
  ]);

test("the best are explained by score, coverage, meaning and how far they are above the floor", () => {
  expect(explained(WITH_TABLE, "slow images")).toEqual([
    ["container-builds", 3.694, 0.5, 0.375, 2.155],
    ["query-tuning", 2.793, 0.5, 0.187, -0.413],
    ["page-speed", 2.599, 0.3, 0.407, 0.299],
  ]);
});

test("explain: without a word table, results have no similarity", () => {
  expect(explained(WORDS_ALONE, "slow images")).toEqual([
    ["container-builds", 2.308, 0.5, 0, 5.141],
    ["query-tuning", 2.242, 0.5, 0, 4.981],
    ["page-speed", 1.352, 0.3, 0, 2.097],
  ]);
});

test("explain: documents below the floor are explained too, up to the limit", () => {
  const query = "database deadlock";
  expect(searchIndex(WITH_TABLE, query, { limit: 2 }).total).toBe(0);
  expect(explained(WITH_TABLE, query, 2)).toEqual([
    ["query-tuning", 8.026, 0, 0.42, -2.251],
    ["interview-notes", 3.496, 0, 0.183, -4.569],
  ]);
});
