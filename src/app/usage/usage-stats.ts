import path from "node:path";
import type { Snapshot } from "../../registry/registry.ts";
import { readHistory } from "../../usage/history/history-files.ts";
import { type Span, summarise, type UsageSummary } from "../../usage/history/summarise.ts";

export type { Span, UsageSummary } from "../../usage/history/summarise.ts";

/** What was used on this machine, from its own history. */
export async function usageStats(
  home: string,
  { catalog, library }: Snapshot,
  span: Span,
): Promise<UsageSummary> {
  const skills = [...catalog.entries.map(({ listedAs }) => listedAs), ...library.skills.keys()];
  return summarise(await readHistory(path.join(home, ".skills-mcp"), span.since), span, skills);
}
