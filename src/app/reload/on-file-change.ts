import { unwatchFile, watchFile } from "node:fs";

/** Polling also notices a file that was replaced or that appears, and a link that was moved, as in a mounted volume. */
const POLL_INTERVAL_MS = 1_000;

/** Calls back when a file changes, appears or goes. Returns a function that stops it; keeps no process alive. */
export function onFileChange(file: string, listener: () => void): () => void {
  const onStat = (): void => listener();
  watchFile(file, { interval: POLL_INTERVAL_MS, persistent: false }, onStat);
  return () => unwatchFile(file, onStat);
}
