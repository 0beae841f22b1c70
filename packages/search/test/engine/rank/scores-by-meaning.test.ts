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
  ["bill a client", ["invoices 2.459 client", "unit-tests 0.387"], 0, "no_match"],
  [
    "the website is sluggish",
    ["page-speed 2.003 website", "query-tuning 1.039", "invoices 0.333"],
    0,
    "no_match",
  ],
  ["shrink the jpeg files", ["query-tuning 0.021"], 0, "no_match"],
  ["database deadlock", ["query-tuning 3.259", "interview-notes 1.778", "page-speed 0.059"], 0, "no_match"],
  [
    "what do our testers complain about",
    ["unit-tests 1.677", "interview-notes 1.612 complain", "page-speed 0.199"],
    0,
    "no_match",
  ],
  ["slow sql query", ["query-tuning 6.242 slow sql query"], 1, "match"],
  ["docker image with a password in it", ["container-builds 5.09 docker image password"], 1, "match"],
  [
    "write a friendly letter",
    ["invoices 3.014 friendly letter", "unit-tests 1.966 write"],
    0.757,
    "ambiguous",
  ],
  ["names of tests", ["unit-tests 6.119 names tests"], 1, "match"],
  [
    "slow images",
    ["container-builds 2.94 images", "query-tuning 2.508 slow", "page-speed 1.971 slow images"],
    0.37,
    "ambiguous",
  ],
  ["dockr imags", ["container-builds 4.434 dockr imags"], 0.999, "match"],
  [
    "bake a chocolate cake",
    ["container-builds 0.961 bake", "invoices 0.709", "page-speed 0.454"],
    0,
    "no_match",
  ],
  ["zxqv", ["container-builds 2.864 zxqv"], 0.996, "match"],
  ["book a flight to tokyo", ["query-tuning 1.062 book", "page-speed 0.61"], 0, "no_match"],
] as const)("the scores for %j are as measured", (query, results, confidence, verdict) => {
  const answer = searchIndex(index, query, { limit: 3 });
  const shown = [...answer.results, ...answer.nearest];
  expect(shown.map(({ id, score, matched }) => [id, score, ...matched].join(" "))).toEqual(results);
  expect(answer).toMatchObject({ confidence, verdict });
});
