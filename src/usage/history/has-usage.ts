import type { UsageSummary } from "./summarise.ts";

type Counted = "suggested" | "searched" | "served" | "assets" | "scripts" | "noMatch" | "ambiguous";

/** Whether an agent used anything. A refresh is an event too, and nobody's use. */
export function hasUsage({ totals }: { readonly totals: Pick<UsageSummary["totals"], Counted> }): boolean {
  const { suggested, searched, served, assets, scripts, noMatch, ambiguous } = totals;
  return suggested + searched + served + assets + scripts + noMatch + ambiguous > 0;
}
