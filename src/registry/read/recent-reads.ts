import { type Fingerprint, fingerprintOf, mayChangeUnseen } from "../../system/files/fingerprint.ts";
import { LOADING } from "./read-skill-file.ts";

interface RecentReads<Key, Value> {
  /** The path to look at. */
  readonly fileOf: (key: Key) => string;
  /** Reads that file. What it throws is not cached. */
  readonly read: (key: Key) => Promise<Value>;
}

/** So many, none of them larger than this, take no more than a few MiB. */
const MOST_CACHED = 100;
const LONGEST_TEXT = 64 * 1024;

/**
 * Reads files that are asked for again and again. Each time the fingerprint of the file is compared, and any other one means
 * that it is read anew: opening, reading and parsing a file takes many times as long as asking whether it is the same.
 */
export function createRecentReads<Key, Value extends { readonly text: string }>({
  fileOf,
  read,
}: RecentReads<Key, Value>): (key: Key) => Promise<Value> {
  const recent = new Map<Key, { readonly fingerprint: Fingerprint; readonly value: Value }>();
  return async (key) => {
    const now = Date.now();
    // Before the file is read: what changes in between has another fingerprint the next time.
    const stats = await LOADING.lstat(fileOf(key));
    const fingerprint = stats && fingerprintOf(stats);
    const known = recent.get(key);
    if (known !== undefined && known.fingerprint === fingerprint) return known.value;
    recent.delete(key);
    const value = await read(key);
    const isCached = stats !== undefined && !mayChangeUnseen(stats, now) && value.text.length <= LONGEST_TEXT;
    if (!isCached || fingerprint === undefined) return value;
    const [oldest] = recent.keys();
    if (recent.size >= MOST_CACHED && oldest !== undefined) recent.delete(oldest);
    recent.set(key, { fingerprint, value });
    return value;
  };
}
