export { hasUsage } from "./has-usage.ts";
export type { ModelAnswer } from "./model.ts";
export type { OverviewAnswer } from "./overview.ts";
export type { ProblemCounts, ProblemsAnswer, WireProblem } from "./problems.ts";
export type { ReviewAnswer, ReviewDetailAnswer, WireReviewItem } from "./review.ts";
export type { SearchAnswer } from "./search.ts";
export type { SessionAnswer } from "./session.ts";
export type {
  AudiencesAnswer,
  EvalPromptAnswer,
  NewSkillAnswer,
  OriginAnswer,
  RowFindingsAnswer,
  SkillFactsAnswer,
  SkillFixAnswer,
  ToggledAnswer,
} from "./skill-facts.ts";
export type {
  ErrorAnswer,
  HealthAnswer,
  RelatedSkill,
  Repeated,
  ServerState,
  SkillColumns,
  SkillDetail,
  TryAnswer,
  TryGetSkillAnswer,
  WireDiagnostic,
  WireFile,
  WirePart,
  WireSkillStatus,
} from "./skills.ts";
export type {
  ChoicesAnswer,
  PlanAnswer,
  SourcesAnswer,
  UpdatesAnswer,
  WireInstalled,
  WirePlanned,
  WireRepository,
} from "./sources.ts";
export type { TryWhy } from "./try.ts";
export type { UnmatchedAnswer } from "./unmatched.ts";
export type { UsageAnswer } from "./usage.ts";
