/** Milliseconds on a clock that never goes back. The global `performance` would load `node:perf_hooks` at start. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
