import type { Stats } from "node:fs";
import { type Fingerprint, fingerprintOf, mayChangeUnseen } from "#util";
import { LOADING } from "./read-skill-file.ts";

interface RecentReads<Key, Value> {
  /** The path to look at. */
  readonly fileOf: (key: Key) => string;
  /**
   * Reads that file. `stats` are those of the open file: those of the path may be of another file, if a folder on the way to it
   * is swapped meanwhile. What it throws is not cached.
   */
  readonly read: (key: Key) => Promise<{ readonly value: Value; readonly stats: Stats }>;
  readonly now?: () => number;
}

interface Recent<Value> {
  readonly fingerprint: Fingerprint;
  readonly value: Value;
}

/** The texts of several hundred skills, which take a few MiB. */
const MOST_CACHED_UNITS = 2 * 1024 * 1024;

/**
 * Reads files that are asked for again and again. Each time the fingerprint of the file is compared, and any other one means
 * that it is read anew: opening, reading and parsing a file takes many times as long as asking whether it is the same.
 */
export function createRecentReads<Key, Value extends { readonly text: string }>({
  fileOf,
  read,
  now = Date.now,
}: RecentReads<Key, Value>): (key: Key) => Promise<Value> {
  const recent = new Map<Key, Recent<Value>>();
  let units = 0;

  function drop(key: Key): void {
    units -= recent.get(key)?.value.text.length ?? 0;
    recent.delete(key);
  }

  function add(key: Key, read: Recent<Value>): void {
    // Others may have read it at the same time.
    drop(key);
    units += read.value.text.length;
    recent.set(key, read);
    for (const oldest of recent.keys()) {
      if (units <= MOST_CACHED_UNITS) return;
      drop(oldest);
    }
  }

  return async (key) => {
    const known = recent.get(key);
    if (known !== undefined) {
      const found = await LOADING.lstat(fileOf(key));
      if (found !== undefined && fingerprintOf(found) === known.fingerprint) return known.value;
      drop(key);
    }
    const readAt = now();
    const { value, stats } = await read(key);
    if (!mayChangeUnseen(stats, readAt)) add(key, { fingerprint: fingerprintOf(stats), value });
    return value;
  };
}
