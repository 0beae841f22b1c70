import { statSync, unwatchFile, watchFile } from "node:fs";
import { type Fingerprint, fingerprintOf } from "../../system/files/fingerprint.ts";

/** Polling also notices a file that was replaced or that appears, and a link that was moved, as in a mounted volume. */
const POLL_INTERVAL_MS = 1_000;
/** Editors and `cp` write in place: a file that is empty or half written now is complete a moment later. */
const SETTLE_MS = 100;

/**
 * Calls back when a file has changed, appeared or gone, and stayed the same since. Returns a function that stops it;
 * keeps no process alive.
 */
export function onFileChange(file: string, listener: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  // Node also reports a file that is missing from the start, and a version that was half written when it was noticed.
  let known = versionOf(file);
  const settle = (seen: Fingerprint | undefined): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const now = versionOf(file);
      if (now !== seen) settle(now);
      else if (now !== known) {
        known = now;
        listener();
      }
    }, SETTLE_MS).unref();
  };
  const onStat = (): void => settle(versionOf(file));
  watchFile(file, { interval: POLL_INTERVAL_MS, persistent: false }, onStat);
  // The first poll is what later ones are compared with, and it may come after a change.
  onStat();
  return () => {
    unwatchFile(file, onStat);
    clearTimeout(timer);
  };
}

/** Undefined when it is missing or cannot be examined. */
function versionOf(file: string): Fingerprint | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats === undefined ? undefined : fingerprintOf(stats);
  } catch {
    return undefined;
  }
}
