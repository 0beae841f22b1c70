import type { ProjectTopics } from "./project-topics.ts";

/** What decides which skills come first in lists that are cut. */
export interface LikelyUse {
  /** By the names that lists show. */
  readonly recent: ReadonlySet<string>;
  readonly project: ProjectTopics;
}
