import { statSync } from "node:fs";
import { fingerprintAt } from "#util";

/** Polling also notices a file that was replaced or that appears, and a link that was moved, as in a mounted volume. */
const POLL_INTERVAL_MS = 500;

/**
 * Calls back when one of some files has changed, appeared or gone, and all of them were the same at two polls: editors and
 * `cp` write in place, so a file may be empty or half written for a moment. Returns a function that stops it; keeps no
 * process alive.
 */
export function onFilesChange(files: readonly string[], listener: () => void): () => void {
  let reported = versionsOf(files);
  let seen = reported;
  const timer = setInterval(() => {
    const now = versionsOf(files);
    const hasSettled = now === seen;
    seen = now;
    if (!hasSettled || now === reported) return;
    reported = now;
    listener();
  }, POLL_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

const versionsOf = (files: readonly string[]): string => files.map(versionOf).join(" ");

/** A folder counts as nothing: while a script runs, an empty one protects the place of a settings file that does not exist. */
function versionOf(file: string): string {
  const fingerprint = fingerprintAt(file);
  return fingerprint === null || isFolder(file) ? "" : String(fingerprint);
}

function isFolder(file: string): boolean {
  try {
    return statSync(file).isDirectory();
  } catch {
    return false;
  }
}
