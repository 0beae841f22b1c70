import type { SearchDocument } from "../index/build-segment.ts";
import { type SearchIndex, updateIndex } from "../index/search-index.ts";
import { parseQuery, type Synonyms } from "../rank/parse-query.ts";
import { rankDocuments, searchIndex } from "../rank/rank-skills.ts";
import { resolveTerms } from "../rank/resolve-terms.ts";
import { runToEnd, type Steps } from "../steps.ts";
import type { EvalCase } from "./eval-cases.ts";

/** A skill with the prompts that its author wrote for it. */
export interface EvalSkill {
  /** What loads it. */
  readonly name: string;
  readonly file: string;
  readonly document: SearchDocument;
  readonly cases: readonly EvalCase[];
}

/** What the search answers to one prompt. */
export interface CaseResult extends EvalCase {
  /** The id of the skill. */
  readonly skill: string;
  /** From 1; undefined when the skill is not among the first ones. */
  readonly rank: number | undefined;
  /** Whether the answer is above the floor, with the skill in it. */
  readonly isAboveFloor: boolean;
  /** The ids of the skills ahead of it, best first. */
  readonly ahead: readonly string[];
  /** A prompt reaches its skill at rank 1 above the floor, or one for other skills does not. */
  readonly passed: boolean;
}

export interface EvalCorpus {
  readonly index: SearchIndex;
  readonly skills: readonly EvalSkill[];
  readonly synonyms: Synonyms;
  /** The ids of skills that are not listed to models. */
  readonly leftOut: ReadonlySet<string>;
}

/** Ranks below this count as not found. */
const MOST_RESULTS = 25;
const MOST_AHEAD = 3;

/**
 * Ranks every prompt of the given skills, each with an index from which that prompt is left out: a prompt that is indexed as
 * an example of its skill would always find it, and prove nothing.
 */
export function* evaluateCases(
  corpus: EvalCorpus,
  skills: readonly EvalSkill[],
): Steps<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const skill of skills) {
    for (const one of skill.cases) {
      results.push(rankCase(corpus, skill, one));
      yield;
    }
  }
  return results;
}

function rankCase({ index, synonyms, leftOut }: EvalCorpus, skill: EvalSkill, one: EvalCase): CaseResult {
  const { id } = skill.document;
  const document = withoutPrompt(skill.document, one.prompt);
  const searched =
    document === skill.document ? index : runToEnd(updateIndex(index, { removed: [], added: [document] }));
  const options = { limit: MOST_RESULTS, synonyms, leftOut };
  const { results } = searchIndex(searched, one.prompt, options);
  const isAboveFloor = results.some((result) => result.id === id);
  // Below the floor there is a rank as well: it says what is missing.
  const parsed = parseQuery(one.prompt, synonyms);
  const { ranked: all } = rankDocuments(searched, parsed, resolveTerms(searched, parsed), options);
  const ranked = all.slice(0, MOST_RESULTS);
  const at = ranked.findIndex((found) => found.id === id);
  const ahead = ranked.slice(0, at === -1 ? MOST_AHEAD : Math.min(at, MOST_AHEAD)).map((found) => found.id);
  const isFirst = at === 0 && isAboveFloor;
  return {
    ...one,
    skill: id,
    rank: at === -1 ? undefined : at + 1,
    isAboveFloor,
    ahead,
    passed: one.shouldTrigger ? isFirst : !isFirst,
  };
}

/** The document without `prompt` among its examples, so that no prompt finds itself. */
export function withoutPrompt(document: SearchDocument, prompt: string): SearchDocument {
  const wanted = normalized(prompt);
  const examples = document.examples.filter((example) => !wanted.startsWith(normalized(example)));
  return examples.length === document.examples.length ? document : { ...document, examples };
}

/** Examples are cut in the index, so that a prompt may begin with what is indexed of it. */
function normalized(text: string): string {
  return text.trim().replace(/\s+/g, " ").toLowerCase();
}

/** How many of some prompts did what they should. */
export interface EvalTotals {
  readonly prompts: number;
  readonly rank1: number;
  readonly top5: number;
  readonly aboveFloor: number;
  readonly negatives: number;
  readonly negativesPassed: number;
  /** How many prompts passed: at rank 1 above the floor, or, for a prompt that is meant for another skill, not there. */
  readonly passed: number;
}

export function totalsOf(results: readonly CaseResult[]): EvalTotals {
  const positives = results.filter(({ shouldTrigger }) => shouldTrigger);
  const negatives = results.filter(({ shouldTrigger }) => !shouldTrigger);
  return {
    prompts: positives.length,
    rank1: positives.filter(({ rank }) => rank === 1).length,
    top5: positives.filter(({ rank }) => rank !== undefined && rank <= 5).length,
    aboveFloor: positives.filter(({ isAboveFloor }) => isAboveFloor).length,
    negatives: negatives.length,
    negativesPassed: negatives.filter(({ passed }) => passed).length,
    passed: results.filter(({ passed }) => passed).length,
  };
}
