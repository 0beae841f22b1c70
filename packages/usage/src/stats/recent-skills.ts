import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Idle } from "#util";
import { writeFileAtomic } from "#util";
import type { UsageSettings } from "./lazy-usage.ts";
import { usageSpan } from "./usage-span.ts";

const FILE = "recent-skills.json";
/** Used lately: within this span. */
const SPAN = "30d";

interface RecentSkills {
  /** The day of the count, in UTC. */
  readonly day: string;
  readonly skills: readonly string[];
}

/**
 * The skills that were used lately on this machine. They come first in lists that are cut. Counted at most once a day and
 * only for the next start, so that lists stay the same while a client works, and counting delays no answer.
 */
export function openRecentSkills({
  ownFolder,
  usage,
  idle,
  now,
}: {
  readonly ownFolder: string;
  readonly usage: UsageSettings | undefined;
  readonly idle: Idle;
  readonly now: () => number;
}): () => ReadonlySet<string> {
  // Only servers record usage.
  if (usage === undefined || !usage.history) return () => new Set();
  const file = fileIn(ownFolder);
  let names: ReadonlySet<string> | undefined;
  return () => {
    if (names !== undefined) return names;
    const content = readContent(file);
    names = new Set(content?.skills);
    const span = usageSpan(SPAN, now());
    if (span !== undefined && content?.day !== span.until)
      // Without a history, or on a full disk, the next start has the old order.
      idle.whenIdle(() => void countSkills(ownFolder, file, span).catch(() => {}));
    return names;
  };
}

/** Synchronous variant for the early start, before anything else is open. */
export function readRecentSkills(ownFolder: string): ReadonlySet<string> {
  return new Set(readContent(fileIn(ownFolder))?.skills);
}

const fileIn = (ownFolder: string): string => path.join(ownFolder, "cache", FILE);

async function countSkills(
  ownFolder: string,
  file: string,
  { since, until }: { readonly since: string; readonly until: string },
): Promise<void> {
  const { readHistory } = await import("../history/history-files.ts");
  const days = await readHistory(ownFolder, since);
  const skills = [...new Set(days.flatMap((day) => day.skills.map(([name]) => name)))].sort();
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomic(file, JSON.stringify({ day: until, skills } satisfies RecentSkills));
}

function readContent(file: string): RecentSkills | undefined {
  try {
    const { day, skills } = JSON.parse(readFileSync(file, "utf8")) as Partial<RecentSkills>;
    if (typeof day !== "string" || !Array.isArray(skills)) return undefined;
    return { day, skills: skills.filter((name) => typeof name === "string") };
  } catch {
    return undefined;
  }
}
