import { homedir } from "node:os";
import path from "node:path";
import { readHistory } from "../usage/read-history.ts";
import { type Span, summarise, type UsageSummary } from "../usage/summarise.ts";

export type { UsageSummary } from "../usage/summarise.ts";

export interface UsageStatsOptions {
  /** Stands in for the home folder. */
  readonly userDir?: string | undefined;
  readonly span: Span;
  /** The names of the skills there are, to tell which of them were never used. */
  readonly skills: readonly string[];
}

/** What was used on this machine, from its own history. */
export async function usageStats({ userDir, span, skills }: UsageStatsOptions): Promise<UsageSummary> {
  const folder = path.join(path.resolve(userDir ?? homedir()), ".skills-mcp");
  return summarise(await readHistory(folder, span.since), span, skills);
}
