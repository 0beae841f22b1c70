import { mkdirSync, readFileSync, renameSync, type Stats, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type ClientInfo, traitsOf } from "#agents";
import type { ToolList } from "#server";
import type { LikelyUse, Snapshot } from "#skills";
import { isForModels } from "#skills";
import { hasLibrary } from "#sources";
import { hasPolicy } from "#trust";
import { fingerprintOf, homeFolder, mayChangeUnseen, VERSION } from "#util";
import { shortHash } from "#util/pure";
import type { ServerPlan } from "../plan-server.ts";

/** What a client is told first. */
export type FirstAnswers = Pick<ToolList, "answer" | "instructions">;

/** Undefined with a library, whose content the cache does not check, and where changes are not announced. */
export function cachedAnswersFor(
  { app, settings }: ServerPlan,
  client: ClientInfo,
  { recent, project }: LikelyUse,
): CachedAnswers | undefined {
  if (app.repos !== undefined || hasLibrary(app, process.env) || !settings.announcesChanges) return undefined;
  const home = path.resolve(app.userDir ?? homeFolder());
  // What is approved may have changed since.
  if (hasPolicy(path.join(home, ".skills-mcp"))) return undefined;
  const traits = traitsOf(client);
  const disabled = settings.disabledByClient?.()?.(client)?.key;
  const view = [app, settings, traits, disabled, [...recent], project];
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

interface Content {
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
        const content = JSON.parse(readFileSync(file, "utf8")) as Content;
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
      // Those that authors keep from models decide the list as well: an edit of theirs can put them in.
      const hidden = entries.filter((entry) => !isForModels(entry));
      const skills = [...shown, ...hidden].map(({ skill }) => skill);
      const files = skills.map(
        ({ realDir, fileName, linkedFile }) => linkedFile ?? path.join(realDir, fileName),
      );
      const places = new Set([...snapshot.surroundings(), ...skills.map(({ realDir }) => realDir), ...files]);
      if (places.size > MOST_PLACES) return;
      try {
        const stats = [...places].map((place) => [place, statsOf(place)] as const);
        if (stats.some(([, found]) => found !== undefined && mayChangeUnseen(found, scannedAt))) return;
        const checked = stats.map(([place, found]) => [place, fingerprint(found)] as const);
        const content: Content = { key, places: checked, answers: { answer, instructions } };
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
