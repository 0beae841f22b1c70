export type { ActivityAnswer } from "./activity.ts";
export type { ConnectAnswer } from "./connect.ts";
export { hasUsage } from "./has-usage.ts";
export type { ModelAnswer } from "./model.ts";
export type { OverviewAnswer } from "./overview.ts";
export type { ProblemsAnswer, WireProblem } from "./problems.ts";
export type { ReviewAnswer, ReviewDetailAnswer } from "./review.ts";
export type { SearchAnswer } from "./search.ts";
export { SEEN, type SeenAnswer, type SkillSeenAnswer, type VisibilityAnswer } from "./seen.ts";
export type { SessionAnswer } from "./session.ts";
export type {
  AudiencesAnswer,
  EvalPromptAnswer,
  NewSkillAnswer,
  OriginAnswer,
  RowFindingsAnswer,
  SkillFactsAnswer,
  SkillFixAnswer,
  SkillTextAnswer,
  ToggledAnswer,
} from "./skill-facts.ts";
export type {
  ErrorAnswer,
  HealthAnswer,
  SkillColumns,
  SkillDetail,
  TryAnswer,
} from "./skills.ts";
export type {
  ChoicesAnswer,
  PlanAnswer,
  SourcesAnswer,
  UpdatesAnswer,
} from "./sources.ts";
export type { UnmatchedAnswer } from "./unmatched.ts";
export type { UsageAnswer } from "./usage.ts";
