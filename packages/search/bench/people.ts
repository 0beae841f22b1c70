// Is a skill found as people ask for it? Short queries, sentences that avoid the words of the skill, and what nothing fits.

import { type Row, table } from "../../../bench/measure.ts";
import { readWordTable } from "../src/word-table-file.ts";
import { interval } from "./bootstrap.ts";
import { searchedOf } from "./documents.ts";
import { CORPORA, PEOPLE_KINDS, type PeopleKind, readPeopleSet } from "./labelled-sets.ts";
import { mean } from "./metrics.ts";
import { ourRanker } from "./ours.ts";
import { installPeers, loadPeers } from "./peers.ts";
import type { Ranker } from "./ranker.ts";
import { otherRankers } from "./rankers.ts";

const set = readPeopleSet();
if (set === undefined) {
  console.log(`Queries of people are not measured: they are not in ${CORPORA}.`);
  process.exit(0);
}

/** So many results a person looks at. */
const FIRST_FEW = 3;

const TITLES: Readonly<Record<PeopleKind, string>> = {
  short: "Short queries, of one to four words",
  task: "Sentences without the skill's own words",
  none: "What no skill fits, where silence is right",
};

const searched = set.skills.flatMap((skill) => searchedOf(skill) ?? []);
const documents = searched.map(({ document }) => document);
const rankers = [
  ourRanker("skills-mcp", documents, await readWordTable()),
  ourRanker("skills-mcp, words alone", documents, undefined),
  ...otherRankers(searched, installPeers() ? loadPeers() : undefined),
];
const rows = PEOPLE_KINDS.flatMap((kind): readonly Row[] => [
  { heading: `${TITLES[kind]}: ${queriesOf(kind).length}, in ${documents.length} skills` },
  ...rankers.map((ranker) => row(ranker, kind)),
]);
console.log("Found as people ask for it, in %, with 95 % intervals\n");
console.log(table(["", "hit@1", "95 %", "first three", "95 %", "silence", "95 %"], rows));

function queriesOf(kind: PeopleKind) {
  return set?.queries.filter((query) => query.kind === kind) ?? [];
}

function row(ranker: Ranker, kind: PeopleKind): Row {
  const judged = queriesOf(kind).map(({ query, relevant }) => {
    const ids = ranker.rank(query, FIRST_FEW);
    const found = ids.findIndex((id) => relevant.includes(id));
    return { first: found === 0, few: found !== -1, silent: ids.length === 0 };
  });
  const shown = (value: (one: (typeof judged)[number]) => boolean): readonly string[] => {
    const values = judged.map((one) => (value(one) ? 1 : 0));
    return [percent(mean(values)), interval(values).map(percent).join("–")];
  };
  const hits =
    kind === "none" ? ["–", "–", "–", "–"] : [...shown((one) => one.first), ...shown((one) => one.few)];
  return [ranker.name, ...hits, ...shown((one) => one.silent)];
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}
