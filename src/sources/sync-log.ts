import type { Log } from "../system/log.ts";
import type { TreeFinding } from "./versions/tree-plan.ts";

/** What is said about a sync beside its result. */
export interface SyncLog {
  /** Takes what git says of its progress, and passes on a line now and then while a large repository arrives. */
  progress(): (text: string) => void;
  findings(findings: readonly TreeFinding[]): void;
}

const PROGRESS_MS = 3_000;
const SHOWN_FINDINGS = 10;

export function createSyncLog(log: Log, now: () => number): SyncLog {
  return {
    progress() {
      let last = now();
      return (text) => {
        const percent = /(Receiving objects|Resolving deltas):\s+(\d+)%/.exec(text);
        if (percent === null || now() - last < PROGRESS_MS) return;
        last = now();
        log.info(`${percent[1]?.toLowerCase()}: ${percent[2]} %`);
      };
    },
    findings(findings) {
      for (const { path, message } of findings.slice(0, SHOWN_FINDINGS))
        log.warn(`left out ${path}: ${message}`);
      const more = findings.length - SHOWN_FINDINGS;
      if (more > 0) log.warn(`left out ${more} more files`);
    },
  };
}
