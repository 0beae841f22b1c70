/** What a search answers, as it travels to the dashboard. It imports nothing, like wire.ts. */
interface WireFoundSkill {
  readonly name: string;
  /** For a library skill, its path. */
  readonly skill_path?: string;
  readonly description: string;
  readonly score: number;
  readonly matched: readonly string[];
  readonly excerpt: string;
  /** The names of copies and forks of the skill. */
  readonly copies?: readonly string[];
}

export interface SearchAnswer {
  readonly task: string;
  readonly total: number;
  /** Empty when no skill fits. */
  readonly results: readonly WireFoundSkill[];
  /** When no skill fits: the nearest, three at most. */
  readonly nearest: readonly WireFoundSkill[];
  readonly confidence: number;
  readonly verdict: "match" | "ambiguous" | "no_match";
}
