import { mkdirSync, readFileSync, renameSync, type Stats, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type ClientInfo, traitsOf } from "#agents";
import type { Snapshot } from "#skills";
import { isForModels } from "#skills";
import { fingerprintOf, mayChangeUnseen, VERSION } from "#util";
import { shortHash } from "#util/pure";
import type { ToolList } from "../mcp/definitions/tool-list.ts";
import type { LikelyUse } from "../mcp/describe/list-order.ts";
import type { ServerPlan } from "../server-plan.ts";
import { findStartInputs } from "../start-inputs.ts";
import type { FirstAnswers } from "./stdio-session.ts";

/**
 * Undefined with a library or rules of trust, because the cache does not check what these decide, and while settings are wrong.
 * Also undefined where changes are not announced, so that a list could not be corrected.
 */
export function cachedAnswersFor(
  plan: ServerPlan,
  client: ClientInfo,
  { recent, project }: LikelyUse,
): CachedAnswers | undefined {
  const { app, settings, home } = plan;
  const { policy, library } = findStartInputs(plan);
  if (policy || library || app.wrongSettings !== undefined || !settings.announcesChanges) return undefined;
  const disabled = settings.disabledByClient?.()?.(client)?.key;
  const view = [app, settings, traitsOf(client), disabled, [...recent], project];
  const key = JSON.stringify([VERSION, process.cwd(), home, ...view]);
  return openCachedAnswers(path.join(home, ".skills-mcp", "cache"), key);
}

/** The answers of the last run, for a client that asks before this run has scanned the disk. */
interface CachedAnswers {
  /** Undefined when there are none, or when anything that they show has changed. */
  read(): FirstAnswers | undefined;
  /** Caches the answers of a first scan that began at `scannedAt`. */
  write(list: ToolList, snapshot: Snapshot, scannedAt: number): void;
}

interface CacheFile {
  readonly key: string;
  /** Every place that decides what the answers show. */
  readonly places: readonly (readonly [place: string, fingerprint: number | null])[];
  readonly answers: FirstAnswers;
}

/** Fewer skills are scanned as fast as cached answers are checked. */
const FEWEST_SKILLS = 100;
/** More places take as long to check as a scan. */
const MOST_PLACES = 2_000;

/** `key` is everything but the disk that decides what the answers show. */
export function openCachedAnswers(folder: string, key: string, fewest = FEWEST_SKILLS): CachedAnswers {
  const file = path.join(folder, `tools-${shortHash(key)}.json`);
  return {
    read() {
      try {
        if (statsOf(file) === undefined) return undefined;
        const content = JSON.parse(readFileSync(file, "utf8")) as CacheFile;
        const isCurrent =
          content.key === key &&
          content.places.every(([place, before]) => fingerprint(statsOf(place)) === before);
        return isCurrent ? content.answers : undefined;
      } catch {
        return undefined;
      }
    },
    write({ answer, instructions, shown }, snapshot, scannedAt) {
      const { entries } = snapshot.catalog;
      if (entries.length < fewest) return;
      // Skills that authors keep from models decide the list as well: an edit can make one of them listed.
      const notForModels = entries.filter((entry) => !isForModels(entry));
      const skills = [...shown, ...notForModels].map(({ skill }) => skill);
      const files = skills.map(
        ({ realDir, fileName, linkedFile }) => linkedFile ?? path.join(realDir, fileName),
      );
      const places = new Set([...snapshot.surroundings(), ...skills.map(({ realDir }) => realDir), ...files]);
      if (places.size > MOST_PLACES) return;
      try {
        const stats = [...places].map((place) => [place, statsOf(place)] as const);
        if (stats.some(([, found]) => found !== undefined && mayChangeUnseen(found, scannedAt))) return;
        const checked = stats.map(([place, found]) => [place, fingerprint(found)] as const);
        const content: CacheFile = { key, places: checked, answers: { answer, instructions } };
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(`${file}.${process.pid}.tmp`, JSON.stringify(content), { mode: 0o600 });
        renameSync(`${file}.${process.pid}.tmp`, file);
      } catch {
        // The next start scans the disk first.
      }
    },
  };
}

function statsOf(place: string): Stats | undefined {
  return statSync(place, { throwIfNoEntry: false });
}

function fingerprint(stats: Stats | undefined): number | null {
  return stats === undefined ? null : fingerprintOf(stats);
}
