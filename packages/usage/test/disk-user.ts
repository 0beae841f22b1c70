import { logTo } from "../../../test/support/log.ts";
import { createUsage } from "../src/create-usage.ts";

/**
 * Runs where the disk is full or cannot be written. Records events, fails to send them, then sends them; prints the
 * log and the final state. Arguments: the folder, the endpoint, how many events.
 */
const [folder = "", endpoint = "", events = "0"] = process.argv.slice(2);

const log: string[] = [];
const usage = createUsage({
  folder,
  endpoint,
  context: "full",
  history: false,
  serverId: "dev-ada",
  now: Date.now,
  log: logTo((line) => void log.push(line)),
  timing: { intervalMs: 3_600_000, commitMs: 1, timeoutMs: 60_000 },
});
const safe: boolean[] = [];
for (let n = 0; n < Number(events); n++) {
  usage.record("no_match", { context: `q${n}`, via: "get_skill" });
  if (n % 100 === 99) safe.push(await usage.saved());
}
await usage.flush();
const whileDown = usage.state();
await usage.flush();
process.stdout.write(JSON.stringify({ log, safe, whileDown, after: usage.state() }));
await usage.close(5000);
