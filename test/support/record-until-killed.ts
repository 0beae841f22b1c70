import type { createUsage } from "#usage";
import { logTo } from "./log.ts";

/**
 * A server as far as usage goes, to be killed: records one event after another, and prints the name of each that is safe. It
 * closes after as many events as wanted; 0: it never does.
 */
export async function recordUntilKilled(
  open: typeof createUsage,
  { folder, endpoint, name, wanted }: RecorderArguments,
  shared?: NonNullable<Parameters<typeof createUsage>[0]["shared"]>,
): Promise<void> {
  const usage = open({
    folder,
    endpoint,
    context: "full",
    history: false,
    serverId: `dev-${name}`,
    now: Date.now,
    log: logTo((line) => void process.stderr.write(`${line}\n`)),
    // No backoff: what is tested is what happens at every failure, and there should be many.
    random: () => 0,
    ...(shared === undefined ? {} : { shared }),
    timing: { intervalMs: 25, relayMs: 25, commitMs: 2, timeoutMs: 60_000 },
  });
  const last = wanted === 0 ? Number.POSITIVE_INFINITY : wanted;
  for (let n = 0; n < last; n++) {
    usage.record("no_match", { context: `${name}/${n}`, via: "get_skill" });
    if (n % 5 < 4) continue;
    const group = [4, 3, 2, 1, 0].map((back) => `${name}/${n - back}\n`).join("");
    if (await usage.saved()) process.stdout.write(group);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await usage.close(60_000);
}

export interface RecorderArguments {
  readonly folder: string;
  readonly endpoint: string;
  readonly name: string;
  /** How many events to record before it closes; 0: no end. */
  readonly wanted: number;
  /** The address of a Redis that it shares with others. */
  readonly redis: string;
}

/** As `prepareRecorders` passes them. */
export function recorderArguments(): RecorderArguments {
  const [folder = "", endpoint = "", name = "", wanted = "0", redis = ""] = process.argv.slice(2);
  return { folder, endpoint, name, wanted: Number(wanted), redis };
}
