import type { ReviewAnswer } from "#server/wire";

export type ReviewItem = ReviewAnswer["skills"][number];

/** Whether somebody has to decide about it. */
export function isWaiting({ state }: ReviewItem): boolean {
  return state === "new" || state === "changed";
}
