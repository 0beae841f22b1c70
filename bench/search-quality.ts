// How often is the right skill found, and does the engine know when it is?
import { type Row, table } from "./measure.ts";
import { type Claim, calibrationError, precision, precisionOfSurest } from "./search/calibration.ts";
import { searchedOf } from "./search/documents.ts";
import { CORPORA, type LabelledQuery, type LabelledSet, readLabelledSet } from "./search/labelled-sets.ts";
import { measureQuality } from "./search/metrics.ts";
import { type OurRanker, ourRanker } from "./search/ours.ts";
import { installPeers, loadPeers } from "./search/peers.ts";
import type { Ranker } from "./search/ranker.ts";
import { otherRankers } from "./search/rankers.ts";
import { withTypos } from "./search/typos.ts";

const VERDICTS = ["match", "ambiguous", "no_match"] as const;

const sets = (["skills", "tools"] as const).flatMap((name) => readLabelledSet(name) ?? []);
if (sets.length === 0) {
  console.log(`Search quality is not measured: the labelled prompts are not in ${CORPORA}.`);
  process.exit(0);
}

const peers = installPeers() ? loadPeers() : undefined;
const rows: Row[] = [];
const calibration: Row[] = [];
for (const set of sets) measureSet(set);

console.log("Search quality in %, and what a typo in every fourth longer word leaves of it\n");
console.log(table(["", "hit@1", "R@5", "R@10", "nDCG@10", "answered", "nDCG with typos", "kept"], rows));
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

function measureSet({ name, skills, queries }: LabelledSet): void {
  const searched = skills.flatMap((skill) => searchedOf(skill) ?? []);
  const unreadable = skills.length - searched.length;
  const without = unreadable === 0 ? "" : `, ${unreadable} of them unreadable`;
  rows.push({ heading: `${name}: ${skills.length} documents${without}, ${queries.length} prompts` });
  const ours = ourRanker(searched.map(({ document }) => document));
  rows.push(qualityRow(ours, queries));
  calibration.push(calibrationRow(name, ours, queries));
  for (const ranker of otherRankers(searched, peers)) rows.push(qualityRow(ranker, queries));
}

function qualityRow(ranker: Ranker, queries: readonly LabelledQuery[]): Row {
  const clean = measureQuality(ranker, queries);
  const misspelt = measureQuality(
    ranker,
    queries.map(({ query, relevant }) => ({ query: withTypos(query), relevant })),
  );
  const { hitAt1, recallAt5, recallAt10, ndcgAt10, answered } = clean;
  const shares = [hitAt1, recallAt5, recallAt10, ndcgAt10, answered, misspelt.ndcgAt10];
  return [ranker.name, ...[...shares, misspelt.ndcgAt10 / ndcgAt10].map(percent)];
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
