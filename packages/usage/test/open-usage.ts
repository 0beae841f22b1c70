import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";
import { logTo } from "../../../test/support/log.ts";
import type { Sandbox } from "../../../test/support/sandbox.ts";
import { createUsage, type Usage, type UsageOptions } from "../src/create-usage.ts";

export interface OpenUsage {
  readonly usage: Usage;
  readonly log: readonly string[];
  readonly folder: string;
}

/** Opens usage over a sandbox, with no interval but the test's own flushes. Closed when the test ends. */
export function openUsage(sandbox: Sandbox, options: Partial<UsageOptions> = {}): OpenUsage {
  const log: string[] = [];
  const folder = folderOf(sandbox);
  const usage = createUsage({
    folder,
    endpoint: undefined,
    context: "full",
    history: false,
    serverId: "dev-ada",
    now: Date.now,
    log: logTo((line) => void log.push(line)),
    timing: { intervalMs: 3_600_000, commitMs: 5, timeoutMs: 60_000 },
    ...options,
  });
  onTestFinished(() => usage.close(1000));
  return { usage, log, folder };
}

export function folderOf(sandbox: Sandbox): string {
  return path.join(sandbox.home, ".skills-mcp");
}

/** The files of undelivered events: the shared buffer and private ones. */
export function bufferFiles(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith("analytics-buffer")) : [];
}
