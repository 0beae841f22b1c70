export type { CaseResult, EvalCorpus, EvalTotals } from "./engine/evals/evaluate.ts";
export type { WordTable } from "./engine/meaning/embed.ts";
export { groupTexts } from "./engine/meaning/group-texts.ts";
export { type RankedAnswer, searchIndex } from "./engine/rank/rank-skills.ts";
export {
  type ChangedCase,
  type Comparison,
  compareWith,
  withFoldersAt,
} from "./evals/compare-evaluations.ts";
export { type Evaluation, evaluateSkills, readCorpus } from "./evals/evaluate-skills.ts";
export { AGENT_NAMES, type AgentResult, runAgent } from "./evals/run-agent.ts";
export { explainSearch } from "./explain-search.ts";
export { homeOf, runHook } from "./hints/run-hook.ts";
export { type SuggestibleSkill, writeHints } from "./hints/write-hints.ts";
export { createLazySearch, type SearchIndexSource } from "./lazy-search.ts";
export type { FoundSkill, SearchResult } from "./search-skills.ts";
