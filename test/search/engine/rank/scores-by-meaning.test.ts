import { expect, test } from "vitest";
import type { SearchDocument } from "../../../../src/search/engine/index/search-document.ts";
import { createIndexBuilder } from "../../../../src/search/engine/index/search-index.ts";
import { searchIndex } from "../../../../src/search/engine/rank/rank-skills.ts";
import { runToEnd } from "../../../../src/search/engine/steps.ts";
import { readWordTable } from "../../../../src/search/word-table-file.ts";
import { doc } from "../corpora.ts";

// With the table of the package, the same skills and tasks have the same answers on every platform. As in scores.test.ts,
// these were measured, and are replaced after a change on purpose.

const DOCUMENTS: readonly SearchDocument[] = [
  doc("invoices", {
    description: "Create invoices for customers and send reminders when a payment is late.",
    body: "# Layout\nPut the address of the customer at the top and the bank account below.\n# Reminders\nA friendly letter after two weeks, a strict one after four.\n",
  }),
  doc("container-builds", {
    description: "Build small Docker images with several stages.",
    keywords: ["dockerfile"],
    body: "# Base\nChoose a slim base image and pin its digest for repeatable builds.\n# Secrets\nNever copy credentials or passwords into a layer; mount them while building.\n",
  }),
  doc("query-tuning", {
    description: "Find out why a SQL query is slow and add the index that it needs.",
    body: "# Plan\nRead the execution plan and look for sequential scans of large tables.\n# Locks\nA transaction that waits for another one shows up as blocked sessions.\n",
  }),
  doc("interview-notes", {
    description: "Summarise conversations with users into insights.",
    examples: ["what did people say about onboarding"],
    body: "# Quotes\nKeep the words of each person and the minute of the recording.\n# Themes\nGroup complaints and wishes that several participants share.\n",
  }),
  doc("unit-tests", {
    description: "Write unit tests with clear names and few fixtures.",
    body: "# Names\nA sentence that says what must hold and when it would not.\n# Data\nPrefer small literal values to random ones, and one assertion each.\n",
  }),
  doc("page-speed", {
    description: "Make web pages load faster in the browser.",
    body: "# Pictures\nCompress photos, choose modern formats, and load those below the fold lazily.\n# Scripts\nDefer everything that is not needed for the first paint.\n",
  }),
];

const table = await readWordTable();
const builder = createIndexBuilder(table);
for (const document of DOCUMENTS) builder.add(document);
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
  ["book a flight to tokyo", ["query-tuning 1.062 book", "page-speed 0.61"], 0, "no_match"],
] as const)("the scores for %j are as measured", (query, results, confidence, verdict) => {
  const answer = searchIndex(index, query, { limit: 3 });
  const shown = [...answer.results, ...answer.nearest];
  expect(shown.map(({ id, score, matched }) => [id, score, ...matched].join(" "))).toEqual(results);
  expect(answer).toMatchObject({ confidence, verdict });
});
