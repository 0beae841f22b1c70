import type { Log } from "#util";
import type { RefreshEvent } from "../registry/registry.ts";
import { diagnosticLines } from "../skill/diagnostic.ts";

/**
 * Logs refreshes. A problem is logged once, and again only if it was fixed in between. Whoever names an interval wants to see it
 * at work; otherwise a refresh without a change is for debugging.
 */
export function createRefreshLog(
  log: Log,
  { intervalAsked }: { readonly intervalAsked: boolean },
): (event: RefreshEvent) => void {
  let logged = new Set<string>();
  return ({ reasons, snapshot, change }) => {
    const lines = diagnosticLines(snapshot.diagnostics);
    for (const [line, severity] of lines)
      if (!logged.has(line)) log[severity === "error" ? "error" : "warn"](line);
    logged = new Set(lines.keys());

    const library = snapshot.library.skills.size;
    const count =
      countOf(snapshot.catalog.entries.length, "skill") +
      (library === 0 ? "" : ` and ${countOf(library, "library skill")}`);
    if (reasons.has("start")) {
      const skipped = snapshot.diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
      log.info(`ready: ${count}${skipped === 0 ? "" : `, ${countOf(skipped, "problem")} above`}`);
    } else if (reasons.has("interval") || change !== undefined) {
      const what =
        change === undefined
          ? "no change"
          : `${change.added} added, ${change.removed} removed, ${change.changed} changed`;
      log[change === undefined && !intervalAsked ? "debug" : "info"](`refreshed: ${count}, ${what}`);
    }
  };
}

/** The line that is logged once when the system allows no more watches. */
export function watchLimitLine(code: string, intervalMs: number): string {
  const what =
    code === "ENOSPC"
      ? "file watches (fs.inotify.max_user_watches)"
      : "open files or watchers (ulimit -n, fs.inotify.max_user_instances)";
  return `the system limit of ${what} is reached: changes are now detected every ${Math.round(intervalMs / 1000)} s instead of at once. Raise the limit, or pass --no-watch.`;
}

export function failedRefreshLine(error: unknown): string {
  return `refresh failed, still serving the last known skills: ${String(error)}`;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
