import { compareText } from "#util/pure";
import type { SearchDocument } from "../index/build-segment.ts";
import { searchIndex } from "../rank/rank-skills.ts";
import { termsOfWord, wordsOf } from "../words/analyse.ts";
import type { CaseResult, EvalCorpus, EvalSkill } from "./evaluate.ts";

/** Two skills that the same prompts find. */
export interface Collision {
  readonly first: string;
  readonly second: string;
  /** Prompts of the first that find the second instead, and the other way round. */
  readonly firstLost: number;
  readonly secondLost: number;
  /** The share of the words of both names and descriptions that are in both: 0 to 1. */
  readonly overlap: number;
}

/** Two descriptions that share more are hard to tell apart, whatever the prompts are. */
const MUCH_OVERLAP = 0.5;

/** By lost prompts, then by overlap. */
export function findCollisions(corpus: EvalCorpus, results: readonly CaseResult[]): readonly Collision[] {
  const { skills } = corpus;
  const documents = new Map(skills.map(({ document }) => [document.id, document]));
  const pairs = new Map<string, { first: string; second: string; lost: [number, number] }>();
  const pairOf = (one: string, other: string) => {
    const [first = "", second = ""] = [one, other].sort();
    const key = `${first}\0${second}`;
    const pair = pairs.get(key) ?? { first, second, lost: [0, 0] as [number, number] };
    pairs.set(key, pair);
    return pair;
  };
  for (const { skill, shouldTrigger, ahead } of results) {
    const [winner] = ahead;
    if (!shouldTrigger || winner === undefined) continue;
    const pair = pairOf(skill, winner);
    pair.lost[pair.first === skill ? 0 : 1]++;
  }
  for (const skill of skills) {
    const nearest = nearestTo(corpus, skill);
    if (nearest !== undefined) pairOf(skill.document.id, nearest);
  }
  return [...pairs.values()]
    .map(({ first, second, lost: [firstLost, secondLost] }) => {
      const overlap = overlapOf(documents.get(first), documents.get(second));
      return { first, second, firstLost, secondLost, overlap };
    })
    .filter(({ firstLost, secondLost, overlap }) => firstLost + secondLost > 0 || overlap >= MUCH_OVERLAP)
    .sort(
      (a, b) =>
        b.firstLost + b.secondLost - (a.firstLost + a.secondLost) ||
        b.overlap - a.overlap ||
        compareText(a.first, b.first) ||
        compareText(a.second, b.second),
    );
}

/** The skill that its description finds besides itself. */
function nearestTo({ index, leftOut }: EvalCorpus, { document }: EvalSkill): string | undefined {
  const { results, nearest } = searchIndex(index, document.description, { limit: 2, leftOut });
  return [...results, ...nearest].find(({ id }) => id !== document.id)?.id;
}

function overlapOf(one: SearchDocument | undefined, other: SearchDocument | undefined): number {
  if (one === undefined || other === undefined) return 0;
  const [ours, theirs] = [
    termsIn(`${one.name} ${one.description}`),
    termsIn(`${other.name} ${other.description}`),
  ];
  const shared = [...ours].filter((term) => theirs.has(term)).length;
  const all = ours.size + theirs.size - shared;
  return all === 0 ? 0 : Math.round((shared / all) * 100) / 100;
}

/** The distinct terms of a text. */
export function termsIn(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).flatMap((word) => termsOfWord(word).parts));
}
