import path from "node:path";
import type { Snapshot } from "#skills";
import { readHistory } from "../history/history-files.ts";
import { type Span, summarise, type UsageSummary } from "../history/summarise.ts";
import type { FleetUsage } from "../relay/fleet-usage.ts";
import { narrowedTally } from "./narrowed-usage.ts";

interface UsageSources {
  readonly home: string;
  /** Undefined: this server is the only one. */
  readonly fleet: FleetUsage | undefined;
}

/** Whose usage is wanted, and which skills the reader may see. */
export interface UsageWanted {
  /** Undefined: everyone's. */
  readonly caller: string | undefined;
  /** From the names that usage is counted under to those that the caller sees. Undefined: they see every skill. */
  readonly names: ReadonlyMap<string, string> | undefined;
}

/** What was used by one caller or by all: on all replicas or, where there are none or Redis is away, on this machine. */
export async function usageStats(
  { home, fleet }: UsageSources,
  { catalog, library }: Snapshot,
  span: Span,
  { caller, names }: UsageWanted,
): Promise<UsageSummary> {
  const skills = [...catalog.entries.map(({ listedAs }) => listedAs), ...library.skills.keys()];
  const shared = await fleet?.days(span, caller).catch((): undefined => undefined);
  const days = shared ?? (await readHistory(path.join(home, ".skills-mcp"), span.since, caller));
  const seen =
    names === undefined ? days : days.map((day) => narrowedTally(day, names, caller !== undefined));
  return { ...summarise(seen, span, skills), ...(shared === undefined ? {} : { scope: "fleet" }) };
}
