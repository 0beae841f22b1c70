export type { CaseResult, EvalCorpus, EvalTotals } from "./engine/evals/evaluate.ts";
export { groupTexts } from "./engine/meaning/group-texts.ts";
export type { WordTable } from "./engine/meaning/word-table.ts";
export { type RankedAnswer, searchIndex } from "./engine/rank/rank-skills.ts";
export { isAscii } from "./engine/words/analyse.ts";
export { type ChangedCase, type Comparison, compareWith } from "./evals/compare-evaluations.ts";
export { type Evaluation, evaluateSkills, readCorpus } from "./evals/evaluate-skills.ts";
export { AGENT_NAMES, type AgentResult, runAgent } from "./evals/run-agent.ts";
export { withFoldersAt } from "./evals/skills-at-ref.ts";
export { explainSearch } from "./explain-search.ts";
export {
  type HintHead,
  type HintSkill,
  type Hints,
  hintFiles,
  isUnchanged,
  parseHints,
} from "./hints/hint-file.ts";
export { writeHints } from "./hints/write-hints.ts";
export { createLazySearch, type SearchIndexSource } from "./lazy-search.ts";
export type { FoundSkill, SearchResult } from "./search-skills.ts";
