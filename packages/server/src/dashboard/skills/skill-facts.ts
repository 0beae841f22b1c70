import type { Snapshot } from "#skills";
import type { UsageSummary } from "#usage";
import { runQueue, stat } from "#util";
import { EXAMPLE_LABEL } from "#util/pure";
import type { AnyFinding } from "../../health/all-findings.ts";
import { skillFile } from "../../mcp/client-view/found-skills.ts";
import { type SkillRow, skillRows } from "../skill-rows.ts";

/** What the disk says of a row. */
export interface SkillFacts {
  readonly bytes: number;
  /** Milliseconds since 1970; 0 for a file that cannot be examined. */
  readonly changed: number;
  /** Where it comes from: a repository, a plugin, what a lock says, or `local`. */
  readonly source: string;
}

const AT_ONCE = 32;

/** The facts of every row, in the order of the rows. */
export async function skillFacts(
  snapshot: Snapshot,
  locked: ReadonlyMap<string, string>,
): Promise<readonly SkillFacts[]> {
  const rows = skillRows(snapshot);
  const sources = sourcesOf(snapshot, locked);
  const facts: SkillFacts[] = Array.from({ length: rows.length });
  await runQueue(rows.entries(), AT_ONCE, async ([at, { file, plugin }]) => {
    const stats = await stat(file).catch(() => undefined);
    const source = sources.get(file) ?? (plugin === "" ? "local" : plugin);
    facts[at] = { bytes: stats?.size ?? 0, changed: stats?.mtimeMs ?? 0, source };
  });
  return facts;
}

/** By file, of the skills that come from a repository, that a lock knows, or that somebody else put there. */
function sourcesOf(
  { catalog, disabled }: Snapshot,
  locked: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  const entries = [...catalog.entries, ...disabled.entries];
  for (const skill of entries.flatMap((entry) => [entry.skill, ...entry.shadowed])) {
    const source = skill.repo?.url ?? locked.get(skill.realDir) ?? skill.label;
    if (source !== undefined) sources.set(skillFile(skill), source);
  }
  return sources;
}

/** How many of the served skills come with this package. */
export function countExamples({ catalog }: Snapshot): number {
  return catalog.entries.filter(({ skill }) => skill.label === EXAMPLE_LABEL).length;
}

/** How often a row was used, and when last. */
export interface RowUsage {
  /** In the last 30 days. */
  readonly uses: number;
  /** A day such as `2026-11-17`; empty if not within the span. */
  readonly lastUsed: string;
}

const RECENT_DAYS = 30;

/** What a history says of each row that is served. */
export function usageOfRows(
  rows: readonly SkillRow[],
  { mostUsed, days }: Pick<UsageSummary, "mostUsed" | "days">,
): readonly RowUsage[] {
  const bySkill = new Map(mostUsed.map((skill) => [skill.skill, skill]));
  return rows.map(({ name, status }) => {
    const used = isServed(status) ? bySkill.get(name) : undefined;
    if (used === undefined) return { uses: 0, lastUsed: "" };
    const uses = used.perDay.slice(-RECENT_DAYS).reduce((sum, count) => sum + count, 0);
    const last = used.perDay.findLastIndex((count) => count > 0);
    return { uses, lastUsed: days[last]?.day ?? "" };
  });
}

function isServed(status: SkillRow["status"]): boolean {
  return status === "ok" || status === "warning" || status === "ambiguous";
}

/** What is wrong with a row and the files beside it. */
export interface RowFindings {
  readonly errors: number;
  readonly others: number;
}

/** The one list of findings, counted by row. */
export function findingsOfRows(
  rows: readonly Pick<SkillRow, "file">[],
  found: readonly Pick<AnyFinding, "file" | "severity">[],
): readonly RowFindings[] {
  const dirOf = (file: string): string =>
    file.slice(0, Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")));
  const own = new Set(rows.map(({ file }) => file));
  const byDir = new Map(rows.map(({ file }) => [dirOf(file), file]));
  const byFile = new Map<string, { errors: number; others: number }>();
  for (const { file, severity } of found) {
    if (file === undefined) continue;
    // The files of library skills lie side by side.
    const owner = own.has(file) ? file : ownerOf(file, byDir, dirOf);
    const counts = byFile.get(owner) ?? { errors: 0, others: 0 };
    counts[severity === "error" ? "errors" : "others"]++;
    byFile.set(owner, counts);
  }
  return rows.map(({ file }) => byFile.get(file) ?? { errors: 0, others: 0 });
}

/** The file of the skill in whose folder a file lies. */
function ownerOf(file: string, byDir: ReadonlyMap<string, string>, dirOf: (file: string) => string): string {
  for (let dir = dirOf(file); dir.length > 1; dir = dirOf(dir)) {
    const owner = byDir.get(dir);
    if (owner !== undefined) return owner;
  }
  return file;
}
