import type { UsageAnswer } from "./usage.ts";

/** Whether an agent used anything. A refresh is an event too, and nobody's use. */
export function hasUsage({ totals }: Pick<UsageAnswer, "totals">): boolean {
  const { suggested, searched, served, assets, scripts, noMatch, ambiguous } = totals;
  return suggested + searched + served + assets + scripts + noMatch + ambiguous > 0;
}
