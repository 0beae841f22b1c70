interface UsedTotals {
  readonly suggested: number;
  readonly searched: number;
  readonly served: number;
  readonly assets: number;
  readonly scripts: number;
  readonly noMatch: number;
  readonly ambiguous: number;
}

/** Whether an agent used anything. A refresh is an event too, and nobody's use. */
export function hasUsage({ totals }: { readonly totals: UsedTotals }): boolean {
  const { suggested, searched, served, assets, scripts, noMatch, ambiguous } = totals;
  return suggested + searched + served + assets + scripts + noMatch + ambiguous > 0;
}
