// Runs a server and measures how long its event loop is blocked, at most: until SIGUSR2, and from then to its end.
// Usage: BENCH_STALLS=<file> node stall-probe.mjs <bin> …args
import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { pathToFileURL } from "node:url";

const [bin, ...args] = process.argv.slice(2);
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
let start = 0;
process.once("SIGUSR2", () => {
  start = delay.max / 1e6;
  delay.reset();
});
process.once("exit", () => {
  writeFileSync(process.env.BENCH_STALLS, JSON.stringify({ start, serving: delay.max / 1e6 }));
});
process.argv = [process.argv[0], bin, ...args];
await import(pathToFileURL(bin).href);
