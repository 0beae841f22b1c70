import { expect, test } from "vitest";
import { createIndexBuilder } from "../../../src/engine/index/search-index.ts";
import { searchIndex } from "../../../src/engine/rank/rank-skills.ts";
import { runToEnd } from "../../../src/engine/steps.ts";
import { readWordTable } from "../../../src/word-table-file.ts";
import { SKILLS } from "./skills-with-passages.ts";

// With the table of the package, the same skills and tasks have the same answers on every platform. As in scores.test.ts,
// these were measured, and are replaced after a change on purpose.

const table = await readWordTable();
const builder = createIndexBuilder(table);
for (const document of SKILLS) builder.add(document);
const index = runToEnd(builder.finish());

test.each([
  ["bill a client", ["invoices 5.225 client"], 0.991, "match"],
  [
    "the website is sluggish",
    ["page-speed 4.401 website", "query-tuning 2.35", "invoices 0.505"],
    0,
    "no_match",
  ],
  ["shrink the jpeg files", ["page-speed 5.942", "container-builds 3.426", "invoices 0.695"], 0, "no_match"],
  ["database deadlock", ["query-tuning 8.026", "interview-notes 3.496", "invoices 0.728"], 0, "no_match"],
  [
    "what do our testers complain about",
    ["unit-tests 3.407", "interview-notes 2.696 complain", "invoices 0.376"],
    0,
    "no_match",
  ],
  ["slow sql query", ["query-tuning 6.839 slow sql query"], 1, "match"],
  ["docker image with a password in it", ["container-builds 5.797 docker image password"], 0.999, "match"],
  ["write a friendly letter", ["invoices 3.824 friendly letter", "unit-tests 2.276 write"], 0.813, "match"],
  ["names of tests", ["unit-tests 6.598 names tests"], 1, "match"],
  [
    "slow images",
    ["container-builds 3.694 images", "query-tuning 2.793 slow", "page-speed 2.599 slow images"],
    0.545,
    "ambiguous",
  ],
  ["dockr imags", ["container-builds 5.372 dockr imags"], 0.998, "match"],
  [
    "bake a chocolate cake",
    ["container-builds 1.517 bake", "invoices 1.454", "query-tuning 0.079"],
    0,
    "no_match",
  ],
  ["zxqv", ["container-builds 2.864 zxqv"], 0.976, "match"],
  [
    "book a flight to tokyo",
    ["interview-notes 2.109", "invoices 1.997", "query-tuning 1.977 book"],
    0,
    "no_match",
  ],
] as const)("the scores for %j are as measured", (query, results, confidence, verdict) => {
  const answer = searchIndex(index, query, { limit: 3 });
  const shown = [...answer.results, ...answer.nearest];
  expect(shown.map(({ id, score, matched }) => [id, score, ...matched].join(" "))).toEqual(results);
  expect(answer).toMatchObject({ confidence, verdict });
});
