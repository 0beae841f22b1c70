import { expect, test } from "vitest";
import type { SearchDocument } from "../../../src/engine/index/build-segment.ts";
import { createIndexBuilder } from "../../../src/engine/index/search-index.ts";
import { searchIndex } from "../../../src/engine/rank/rank-skills.ts";
import { runToEnd } from "../../../src/engine/steps.ts";
import { doc } from "../corpora.ts";

// The weights were fitted on prompts that are not part of the repository (docs/explanation/search.md). These scores show when
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
  ["fill a pdf form", ["pdf-forms 6.613 fill,pdf,form"], 1, "match"],
  ["merge pdf files", ["pdf-forms 6.54 merge,pdf,files"], 1, "match"],
  ["kubernetes cluster rollout", ["k8s-deploy 6.682 kubernetes,cluster,rollout"], 1, "match"],
  ["deploy deploy deploy to k8s", ["k8s-deploy 6.772 deploy,k8s"], 1, "match"],
  ["review my pull requset", ["code-review 5.163 review,pull,requset"], 0.999, "match"],
  ["write tests for the table", ["go-tests 6.929 write,tests,table"], 1, "match"],
  ["postgres migration", ["database-migrations 5.958 postgres,migration"], 1, "match"],
  ["changelog from commits", ["release-notes 4.143 changelog,commits"], 0.997, "match"],
  ["```\ngetTableTests\n```", ["go-tests 3.314 gettabletests"], 0.94, "match"],
  ["roll back a failed pod", ["k8s-deploy 4.036 roll,back,failed,pod"], 0.997, "match"],
  ["machine learning model", [], 0, "no_match"],
  ["go", ["go-tests 5.201 go"], 0.999, "match"],
  [
    "write",
    ["release-notes 4.353 write", "go-tests 4.254 write", "database-migrations 2.636 write"],
    0.391,
    "ambiguous",
  ],
  ["code", ["code-review 4.633 code", "go-tests 2.622 code"], 0.919, "match"],
  ["test a copy", ["database-migrations 3.261 test,copy", "go-tests 2.773 test"], 0.565, "ambiguous"],
  ["read the last file", ["pdf-forms 2.389 read,file", "release-notes 1.01 last"], 0.761, "ambiguous"],
  [
    "table of commits and files",
    ["go-tests 1.833 table", "release-notes 1.811 commits", "pdf-forms 1.697 files"],
    0.217,
    "ambiguous",
  ],
  ["form", ["pdf-forms 5.173 form"], 0.999, "match"],
  ["styel bugs", ["code-review 3.867 styel,bugs"], 0.994, "match"],
] as const)("the scores for %j are as measured", (query, results, confidence, verdict) => {
  const answer = searchIndex(index, query, { limit: 3, synonyms });
  expect(answer.results.map(({ id, score, matched }) => `${id} ${score} ${matched.join(",")}`)).toEqual(
    results,
  );
  expect(answer).toMatchObject({ confidence, verdict });
});
