import type { ReviewItem } from "./review-list.ts";

const MOST_NAMED = 5;

/** One line for the log about skills that wait for a decision; undefined when none does. */
export function waitingNotice(items: readonly ReviewItem[]): string | undefined {
  const waiting = items.filter(({ state }) => state === "new" || state === "changed").map(({ name }) => name);
  if (waiting.length === 0) return undefined;
  const more = waiting.length - MOST_NAMED;
  const names = waiting.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
  const verb = waiting.length === 1 ? "skill waits" : "skills wait";
  return `${waiting.length} ${verb} for approval (${names}); skills-mcp approve shows what changed`;
}
