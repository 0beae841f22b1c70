// How often is the right skill found, and does the engine know when it is?

import { type Row, table } from "../../../bench/measure.ts";
import type { SearchDocument } from "../src/engine/index/build-segment.ts";
import { readWordTable } from "../src/word-table-file.ts";
import { type Claim, calibrationError, precision, precisionOfSurest } from "./calibration.ts";
import { searchedOf } from "./documents.ts";
import { CORPORA, type LabelledQuery, type LabelledSet, readLabelledSet } from "./labelled-sets.ts";
import { LANGUAGES, readSynonyms, translatedQueries, withExamples } from "./languages.ts";
import { mean, measureQuality } from "./metrics.ts";
import { meaningRanker, type OurRanker, ourRanker } from "./ours.ts";
import { installPeers, loadPeers } from "./peers.ts";
import { readPrompts } from "./prompts.ts";
import type { Ranker } from "./ranker.ts";
import { otherRankers } from "./rankers.ts";
import { withTypos } from "./typos.ts";

const VERDICTS = ["match", "ambiguous", "no_match"] as const;

const sets = (["skills", "tools"] as const).flatMap((name) => readLabelledSet(name) ?? []);
if (sets.length === 0) {
  console.log(`Search quality is not measured: the labelled prompts are not in ${CORPORA}.`);
  process.exit(0);
}

const peers = installPeers() ? loadPeers() : undefined;
const wordTable = await readWordTable();
const noFit = readPrompts("no-fit");
const rows: Row[] = [];
const floors: Row[] = [];
const calibration: Row[] = [];
const languages: Row[] = [];
for (const set of sets) measureSet(set);

console.log("Search quality in %, and what a typo in every fourth longer word leaves of it\n");
console.log(
  table(["", "hit@1", "95 %", "R@5", "95 %", "R@10", "nDCG@10", "answered", "nDCG with typos", "kept"], rows),
);
console.log("\nPrompts that are answered with nothing, in %\n");
console.log(table(["", "a skill fits", "none fits"], floors));
console.log("\nTranslated prompts about the same skills, hit@1 and R@5 in %\n");
console.log(
  table(
    ["", "prompts", "English", "translated", "no answer", "with synonyms", "skills with an example"],
    languages,
  ),
);
console.log("\nIs the first result right when skills-mcp is sure of it? In %\n");
console.log(
  table(
    [
      "",
      "all",
      "surest 50 %",
      "surest 25 %",
      "calibration error",
      ...VERDICTS.map((name) => `${name}: right/of`),
    ],
    calibration,
  ),
);

function measureSet(set: LabelledSet): void {
  const { name, skills, queries } = set;
  const searched = skills.flatMap((skill) => searchedOf(skill) ?? []);
  const unreadable = skills.length - searched.length;
  const without = unreadable === 0 ? "" : `, ${unreadable} of them unreadable`;
  rows.push({ heading: `${name}: ${skills.length} documents${without}, ${queries.length} prompts` });
  const documents = searched.map(({ document }) => document);
  const ours = ourRanker("skills-mcp", documents, wordTable);
  const byWords = ourRanker("skills-mcp, words alone", documents, undefined);
  for (const ranker of [ours, byWords]) {
    rows.push(qualityRow(ranker, queries));
    calibration.push(calibrationRow(`${name}: ${ranker.name}`, ranker, queries));
    floors.push(floorRow(`${name}: ${ranker.name}`, ranker, queries));
  }
  for (const language of LANGUAGES) languages.push(languageRow(language, set, documents, ours));
  if (wordTable !== undefined) rows.push(qualityRow(meaningRanker(documents, wordTable), queries));
  for (const ranker of otherRankers(searched, peers)) rows.push(qualityRow(ranker, queries));
}

function qualityRow(ranker: Ranker, queries: readonly LabelledQuery[]): Row {
  const clean = measureQuality(ranker, queries);
  const misspelt = measureQuality(
    ranker,
    queries.map(({ query, relevant }) => ({ query: withTypos(query), relevant })),
  );
  const { hitAt1, recallAt5, recallAt10, ndcgAt10, answered, intervals } = clean;
  const range = ([low, high]: readonly [number, number]): string => `${percent(low)}–${percent(high)}`;
  const first = [percent(hitAt1), range(intervals.hitAt1), percent(recallAt5), range(intervals.recallAt5)];
  const shares = [recallAt10, ndcgAt10, answered, misspelt.ndcgAt10, misspelt.ndcgAt10 / ndcgAt10];
  return [ranker.name, ...first, ...shares.map(percent)];
}

/** Of prompts that a skill fits, how many get no answer; of those that none fits, how many get none, as they should. */
function floorRow(name: string, ours: OurRanker, queries: readonly LabelledQuery[]): Row {
  const silent = (prompts: readonly string[]): string =>
    percent(mean(prompts.map((prompt) => (ours.answer(prompt, 1).results.length === 0 ? 1 : 0))));
  return [name, silent(queries.map(({ query }) => query)), silent(noFit)];
}

/** How well prompts in another language find English skills: as they are, with synonyms, and where skills have an example in it. */
function languageRow(
  language: (typeof LANGUAGES)[number],
  set: LabelledSet,
  documents: readonly SearchDocument[],
  ours: OurRanker,
): Row {
  const prompts = translatedQueries(language, set);
  const translated = prompts.map((prompt) => prompt.translated);
  const synonyms = readSynonyms();
  const withSynonyms: Ranker = {
    name: "",
    rank: (query, limit) => ours.answer(query, limit, synonyms).results.map(({ id }) => id),
  };
  const taught = withExamples(language, documents);
  const few = translated.filter(({ relevant }) => relevant.some((id) => taught.changed.has(id)));
  return [
    `${set.name}: ${language}`,
    String(prompts.length),
    hits(
      ours,
      prompts.map(({ english }) => english),
    ),
    hits(ours, translated),
    percent(1 - measureQuality(ours, translated).answered),
    hits(withSynonyms, translated),
    ...(few.length === 0
      ? []
      : [`${few.length}: ${hits(ours, few)} → ${hits(ourRanker("", taught.documents, wordTable), few)}`]),
  ];
}

function hits(ranker: Ranker, queries: readonly LabelledQuery[]): string {
  const { hitAt1, recallAt5 } = measureQuality(ranker, queries);
  return `${percent(hitAt1)} / ${percent(recallAt5)}`;
}

function calibrationRow(name: string, ours: OurRanker, queries: readonly LabelledQuery[]): Row {
  const claims = queries.map(({ query, relevant }) => {
    const { results, confidence, verdict } = ours.answer(query, 1);
    return { confidence, verdict, right: relevant.includes(results[0]?.id ?? "") };
  });
  const surest = [0.5, 0.25].map((share) => precisionOfSurest(claims, share));
  const verdicts = VERDICTS.map((verdict) => {
    const given: readonly Claim[] = claims.filter((claim) => claim.verdict === verdict);
    return `${percent(precision(given))}/${percent(given.length / claims.length)}`;
  });
  return [name, ...[precision(claims), ...surest, calibrationError(claims)].map(percent), ...verdicts];
}

function percent(share: number): string {
  return Number.isFinite(share) ? (share * 100).toFixed(1) : "–";
}
