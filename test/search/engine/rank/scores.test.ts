import { expect, test } from "vitest";
import type { SearchDocument } from "../../../../src/search/engine/index/search-document.ts";
import { createIndexBuilder } from "../../../../src/search/engine/index/search-index.ts";
import { searchIndex } from "../../../../src/search/engine/rank/rank-skills.ts";
import { runToEnd } from "../../../../src/search/engine/steps.ts";
import { doc } from "../corpora.ts";

// The weights were fitted on prompts that are not part of the repository (docs/search-design.md). These scores show when
// one of them, or the formula, changes by mistake; after a change on purpose they are replaced.

const DOCUMENTS: readonly SearchDocument[] = [
  doc("pdf-forms", {
    description: "Fill PDF forms, merge and split PDF files.",
    keywords: ["acrobat", "pdf"],
    examples: ["fill in this tax form"],
    body: "Read the form fields first. Then write a PDF file with the values. Merge files with the merge script.",
  }),
  doc("k8s-deploy", {
    description: "Deploy services to a Kubernetes cluster.",
    keywords: ["helm"],
    examples: ["roll out the new version"],
    body: "Check the cluster. Apply the manifests. Roll back when a pod fails.",
  }),
  doc("code-review", {
    description: "Review a pull request for bugs and style.",
    examples: ["look over my changes"],
    body: "Read the diff. Comment on bugs. Do not rewrite the code of others.",
  }),
  doc("go-tests", {
    description: "Write table tests in Go.",
    body: "Use t.Run for each case. Test the table, then the code around it.",
  }),
  doc("release-notes", {
    description: "Write release notes from commits.",
    keywords: ["changelog"],
    body: "Collect commits since the last tag. Group them by kind. Write one line each.",
  }),
  doc("database-migrations", {
    description: "Plan a migration of a PostgreSQL database without downtime.",
    body: "Write the migration in small steps. Test it on a copy of the database.",
  }),
];

const builder = createIndexBuilder();
for (const document of DOCUMENTS) builder.add(document);
const index = runToEnd(builder.finish());
const synonyms = new Map([["rollout", ["deploy"]]]);

test.each([
  ["fill a pdf form", ["pdf-forms 6.139 fill,pdf,form"], 1, "match"],
  ["merge pdf files", ["pdf-forms 5.81 merge,pdf,files"], 1, "match"],
  ["kubernetes cluster rollout", ["k8s-deploy 6.032 kubernetes,cluster,rollout"], 1, "match"],
  ["deploy deploy deploy to k8s", ["k8s-deploy 6.576 deploy,k8s", "release-notes 1.017 deploy"], 1, "match"],
  ["review my pull requset", ["code-review 4.542 review,pull,requset"], 1, "match"],
  [
    "write tests for the table",
    [
      "go-tests 5.877 write,tests,table",
      "release-notes 0.839 write",
      "database-migrations 0.742 write,tests",
    ],
    1,
    "match",
  ],
  ["postgres migration", ["database-migrations 5.774 postgres,migration"], 1, "match"],
  ["changelog from commits", ["release-notes 4.147 changelog,commits"], 1, "match"],
  [
    "```\ngetTableTests\n```",
    ["go-tests 2.907 gettabletests", "database-migrations 0.248 gettabletests"],
    0.992,
    "match",
  ],
  ["roll back a failed pod", ["k8s-deploy 2.877 roll,back,failed,pod"], 0.997, "match"],
  ["machine learning model", [], 0, "no_match"],
  ["go", ["go-tests 5.329 go"], 1, "match"],
  [
    "write",
    ["release-notes 4.447 write", "go-tests 4.29 write", "database-migrations 1.519 write"],
    0.253,
    "no_match",
  ],
  ["code", ["code-review 5.038 code", "go-tests 1.602 code"], 0.999, "match"],
  ["test a copy", ["go-tests 2.502 test", "database-migrations 1.919 test,copy"], 0.446, "ambiguous"],
  [
    "read the last file",
    ["pdf-forms 1.866 read,file", "release-notes 0.52 last", "code-review 0.381 read"],
    0.862,
    "match",
  ],
  [
    "table of commits and files",
    ["go-tests 1.498 table", "release-notes 1.482 commits", "pdf-forms 1.42 files"],
    0.181,
    "no_match",
  ],
  ["form", ["pdf-forms 5.405 form"], 1, "match"],
  ["styel bugs", ["code-review 3.632 styel,bugs"], 0.999, "match"],
] as const)("the scores for %j are as measured", (query, results, confidence, verdict) => {
  const answer = searchIndex(index, query, { limit: 3, synonyms });
  expect(answer.results.map(({ id, score, matched }) => `${id} ${score} ${matched.join(",")}`)).toEqual(
    results,
  );
  expect(answer).toMatchObject({ confidence, verdict });
});
