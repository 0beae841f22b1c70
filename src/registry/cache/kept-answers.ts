import fs from "node:fs";
import path from "node:path";
import { type Fingerprint, fingerprintOf, mayChangeUnseen } from "../../system/fingerprint.ts";
import { shortHash } from "../../system/hash.ts";
import { replaceCacheFile } from "../../system/replace-file.ts";
import { inTwoCopies, oneOfTwoCopies } from "./two-copies.ts";

/** Keeps answers between runs, each with the files and folders that it was made of. */
export interface KeptAnswers {
  /** What was kept for a question, if every place it was made of is now as it was then. */
  read(question: string): unknown;
  /**
   * Keeps an answer that was made of what these places held at `lookedAt` or later; undefined removes what was kept. It
   * never fails: where nothing can be written, nothing is kept.
   */
  write(question: string, answer: unknown, places: readonly string[], lookedAt: number): Promise<void>;
}

/** The state of a place; null where there is nothing. */
type State = Fingerprint | null;

interface Kept {
  readonly question: string;
  readonly places: readonly (readonly [place: string, state: State])[];
  readonly answer: unknown;
}

/** More places than this are not looked at any faster than everything. */
const MOST_PLACES = 2_000;
const LARGEST_FILE = 1024 * 1024;

export function createKeptAnswers(folder: string): KeptAnswers {
  const fileOf = (question: string): string => path.join(folder, `answer-${shortHash(question)}.bin`);
  return {
    read(question) {
      const kept = readKept(fileOf(question));
      if (kept?.question !== question) return undefined;
      return kept.places.every(([place, state]) => stateOf(place) === state) ? kept.answer : undefined;
    },
    async write(question, answer, places, lookedAt) {
      try {
        const kept = places.length > MOST_PLACES ? undefined : statesOf(places, lookedAt);
        if (kept === undefined) {
          fs.rmSync(fileOf(question), { force: true });
          return;
        }
        const content: Kept = { question, places: kept, answer };
        const bytes = Buffer.from(JSON.stringify(content));
        if (readBytes(fileOf(question))?.equals(bytes) === true) return;
        await replaceCacheFile(fileOf(question), async () => inTwoCopies(bytes), Date.now());
      } catch {
        // The next start looks at the disk first.
      }
    },
  };
}

/** Undefined when any of them may have changed since it was looked at. */
function statesOf(places: readonly string[], lookedAt: number): Kept["places"] | undefined {
  const states: (readonly [string, State])[] = [];
  for (const place of places) {
    const stats = statsOf(place);
    if (stats === "unknown" || (stats !== undefined && mayChangeUnseen(stats, lookedAt))) return undefined;
    states.push([place, stats === undefined ? null : fingerprintOf(stats)]);
  }
  return states;
}

function stateOf(place: string): State | "unknown" {
  const stats = statsOf(place);
  if (stats === "unknown") return stats;
  return stats === undefined ? null : fingerprintOf(stats);
}

/** What a place leads to, because a link that was turned leads to another file. */
function statsOf(place: string): fs.Stats | undefined | "unknown" {
  try {
    return fs.statSync(place, { throwIfNoEntry: false });
  } catch {
    return "unknown";
  }
}

function readKept(file: string): Kept | undefined {
  const bytes = readBytes(file);
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(bytes.toString()) as Kept;
  } catch {
    return undefined;
  }
}

/** One of the two copies, if they are the same. */
function readBytes(file: string): Buffer | undefined {
  try {
    const { size } = fs.statSync(file);
    if (size > LARGEST_FILE) return undefined;
    return oneOfTwoCopies(fs.readFileSync(file));
  } catch {
    return undefined;
  }
}
