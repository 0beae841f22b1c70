import { createTimeSlices, runSteps } from "#util";
import { type CaseResult, type EvalCorpus, type EvalSkill, evaluateCases } from "../engine/evals/evaluate.ts";

/** One prompt of now, with the texts of before and of now. */
interface ChangedCase {
  readonly name: string;
  readonly prompt: string;
  readonly shouldTrigger: boolean;
  readonly before: CaseOutcome;
  readonly after: CaseOutcome;
}

type CaseOutcome = Pick<CaseResult, "rank" | "isAboveFloor" | "passed">;

export interface Comparison {
  readonly ref: string;
  /** Prompts of skills that both have. */
  readonly compared: number;
  readonly better: readonly ChangedCase[];
  readonly worse: readonly ChangedCase[];
  /** Skills that are new since then: nothing to compare. */
  readonly added: readonly string[];
}

/** Ranks the prompts of now with the texts of before: what did the changed descriptions do? */
export async function compareWith(
  ref: string,
  before: EvalCorpus,
  now: EvalCorpus,
  results: readonly CaseResult[],
): Promise<Comparison> {
  const old = new Map(before.skills.map((skill) => [skill.name, skill]));
  const wanted = new Set(results.map(({ skill }) => skill));
  const skills = now.skills.filter(({ document }) => wanted.has(document.id));
  const pairs = skills.flatMap((skill): readonly EvalSkill[] => {
    const earlier = old.get(skill.name);
    return earlier === undefined ? [] : [{ ...earlier, cases: skill.cases }];
  });
  const earlier = await runSteps(evaluateCases(before, pairs), createTimeSlices());
  const names = new Map(now.skills.map(({ name, document }) => [document.id, name]));
  const after = new Map(results.map((result) => [keyOf(names.get(result.skill) ?? "", result), result]));
  const oldNames = new Map(before.skills.map(({ name, document }) => [document.id, name]));
  const changed = earlier.flatMap((result): readonly ChangedCase[] => {
    const name = oldNames.get(result.skill) ?? "";
    const current = after.get(keyOf(name, result));
    if (current === undefined) return [];
    const { prompt, shouldTrigger } = result;
    return [{ name, prompt, shouldTrigger, before: outcomeOf(result), after: outcomeOf(current) }];
  });
  return {
    ref,
    compared: changed.length,
    better: changed.filter((one) => change(one) > 0),
    worse: changed.filter((one) => change(one) < 0),
    added: skills.filter(({ name }) => !old.has(name)).map(({ name }) => name),
  };
}

function keyOf(name: string, { prompt, shouldTrigger }: CaseResult): string {
  return `${name}\0${shouldTrigger}\0${prompt}`;
}

function outcomeOf({ rank, isAboveFloor, passed }: CaseResult): CaseOutcome {
  return { rank, isAboveFloor, passed };
}

/** Above 0 for a prompt that does better now. */
function change({ shouldTrigger, before, after }: ChangedCase): number {
  if (before.passed !== after.passed) return after.passed ? 1 : -1;
  if (!shouldTrigger) return 0;
  return (before.rank ?? Number.MAX_SAFE_INTEGER) - (after.rank ?? Number.MAX_SAFE_INTEGER);
}
