/** Milliseconds that only go forward. `monotonicMs()` would have Node load a module that nothing else here needs. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
