import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { type LikelyUse, MANIFESTS, NO_TOPICS, type ProjectTopics, projectTopics } from "#skills";
import { type Idle, writeFileAtomic } from "#util";
import type { Span } from "../history/summarise.ts";
import type { UsageSettings } from "./lazy-usage.ts";

/** The folder in a project whose files tell its topics, as those in its root do. */
const SOURCES = "src";
/** Of a folder with more files, the first ones by name are read. */
const MOST_FILES = 2_000;
const LARGEST_MANIFEST = 256 * 1024;

/** What orders lists that are cut, for a start in this folder: skills used lately, and the topics of the project. */
export function readLikelyUse(ownFolder: string, cwd: string): LikelyUse {
  return { recent: readRecentSkills(ownFolder), project: readProjectTopics(cwd) };
}

/** Synchronous source of that order for a running server. Read once: lists must not change while a client works. */
export function openLikelyUse(
  {
    usage,
    remoteCallers = false,
  }: {
    readonly usage?: UsageSettings;
    readonly remoteCallers?: boolean;
  },
  { ownFolder, cwd }: { readonly ownFolder: string; readonly cwd: string },
  idle: Idle,
): () => LikelyUse {
  const recent = openRecentSkills({ ownFolder, usage, idle, now: Date.now });
  let project: ProjectTopics | undefined;
  return () => {
    // Callers from elsewhere work on other projects than the folder that the server was started in.
    project ??= remoteCallers ? NO_TOPICS : readProjectTopics(cwd);
    return { recent: recent(), project };
  };
}

/** Reads two folders and their manifests, in less than a millisecond. Skips what cannot be read. */
function readProjectTopics(cwd: string): ProjectTopics {
  const root = namesIn(cwd);
  if (root.length === 0) return NO_TOPICS;
  const sources = root.includes(SOURCES) ? namesIn(path.join(cwd, SOURCES)) : [];
  const manifests = new Map<string, string>();
  for (const name of root) {
    if (!Object.hasOwn(MANIFESTS, name)) continue;
    const text = textOf(path.join(cwd, name));
    if (text !== undefined) manifests.set(name, text);
  }
  // Of the sources, only the kinds of files: a `Dockerfile` there belongs to a part.
  return projectTopics([...root, ...sources.map((name) => name.replace(/^.*(?=\.)/, "x"))], manifests);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort().slice(0, MOST_FILES);
  } catch {
    return [];
  }
}

function textOf(file: string): string | undefined {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= LARGEST_MANIFEST ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

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
function openRecentSkills({
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
function readRecentSkills(ownFolder: string): ReadonlySet<string> {
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

export const MOST_USAGE_DAYS = 3650;
const DAY_MS = 24 * 60 * 60_000;

/**
 * The days from the one that `7d` or `2026-11-01` means until today, in UTC; undefined for any other text, and for a
 * day in the future.
 */
export function usageSpan(since: string, now: number): Span | undefined {
  const until = dayOf(now);
  const days = /^(\d{1,5})d$/.exec(since)?.[1];
  if (days !== undefined && Number(days) >= 1 && Number(days) <= MOST_USAGE_DAYS) {
    return { since: dayOf(now - (Number(days) - 1) * DAY_MS), until };
  }
  const time = /^\d{4}-\d\d-\d\d$/.test(since) ? Date.parse(since) : Number.NaN;
  // The 31st of February is read as the 3rd of March.
  const isDay = !Number.isNaN(time) && dayOf(time) === since;
  return isDay && since <= until && time >= now - MOST_USAGE_DAYS * DAY_MS ? { since, until } : undefined;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
