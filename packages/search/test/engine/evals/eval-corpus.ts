import type { CaseResult, EvalCorpus, EvalSkill } from "../../../src/engine/evals/evaluate.ts";
import { createIndexBuilder } from "../../../src/engine/index/search-index.ts";
import { runToEnd } from "../../../src/engine/steps.ts";

export interface Given {
  readonly name: string;
  readonly description: string;
  readonly keywords?: readonly string[];
  readonly prompts?: readonly string[];
  /** Prompts for other skills. */
  readonly negatives?: readonly string[];
  readonly body?: string;
}

/** An index of some skills with their prompts, which are examples as well. */
export function corpusOf(given: readonly Given[]): EvalCorpus {
  const builder = createIndexBuilder();
  const skills = given.map((one): EvalSkill => {
    const { name, description, keywords = [], prompts = [], negatives = [], body = "" } = one;
    const document = { id: name, name, description, keywords, examples: prompts, body };
    builder.add(document);
    const cases = [
      ...prompts.map((prompt) => ({ prompt, shouldTrigger: true, source: "examples" })),
      ...negatives.map((prompt) => ({ prompt, shouldTrigger: false, source: "negatives" })),
    ];
    return { name, file: `${name}/SKILL.md`, document, cases };
  });
  return { index: runToEnd(builder.finish()), skills, synonyms: new Map(), leftOut: new Set() };
}

/** The result of a prompt that finds its skill at once, except for what is given. */
export function resultOf(skill: string, rest: Partial<CaseResult> = {}): CaseResult {
  const found = { rank: 1, isAboveFloor: true, ahead: [], passed: true };
  return { skill, prompt: "", shouldTrigger: true, source: "examples", ...found, ...rest };
}
