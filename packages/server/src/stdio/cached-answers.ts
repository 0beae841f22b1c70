import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
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
  const key = JSON.stringify([VERSION, process.cwd(), home, app, settings, traitsOf(client), disabled]);
  const use = JSON.stringify([[...recent], project]);
  return openCachedAnswers(path.join(home, ".skills-mcp", "cache"), key, use);
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
  /** What decided the order of a list that is cut; null where it is not. */
  readonly use: string | null;
  /** Every place that decides what the answers show. */
  readonly places: readonly (readonly [place: string, fingerprint: number | null])[];
  readonly answers: FirstAnswers;
}

/** More places take as long to check as a scan. */
const MOST_PLACES = 2_000;
/** Each project and client has a file of its own; one that was written longer ago is removed. */
const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** `key` and, for a list that is cut, `use` are everything but the disk that decides what the answers show. */
export function openCachedAnswers(folder: string, key: string, use: string): CachedAnswers {
  const file = path.join(folder, `tools-${shortHash(key)}.json`);
  return {
    read() {
      try {
        if (statsOf(file) === undefined) return undefined;
        const content = JSON.parse(readFileSync(file, "utf8")) as CacheFile;
        const isCurrent =
          content.key === key &&
          (content.use === null || content.use === use) &&
          content.places.every(([place, before]) => fingerprint(statsOf(place)) === before);
        return isCurrent ? content.answers : undefined;
      } catch {
        return undefined;
      }
    },
    write({ answer, instructions, shown, first }, snapshot, scannedAt) {
      const { entries } = snapshot.catalog;
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
        const decided = first === undefined ? null : use;
        const content: CacheFile = { key, use: decided, places: checked, answers: { answer, instructions } };
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(`${file}.${process.pid}.tmp`, JSON.stringify(content), { mode: 0o600 });
        renameSync(`${file}.${process.pid}.tmp`, file);
        removeOld(folder);
      } catch {
        // The next start scans the disk first.
      }
    },
  };
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (name.startsWith("tools-") && Date.now() - statSync(file).mtimeMs > LIFETIME_MS)
      rmSync(file, { force: true });
  }
}

function statsOf(place: string): Stats | undefined {
  return statSync(place, { throwIfNoEntry: false });
}

function fingerprint(stats: Stats | undefined): number | null {
  return stats === undefined ? null : fingerprintOf(stats);
}
