import type { Snapshot } from "../../registry/registry.ts";
import type { Usage } from "../../usage/create-usage.ts";

export interface RefreshAnswer {
  readonly success: boolean;
  readonly mode?: "local";
  readonly skills_reindexed?: number;
  readonly message?: string;
}

/** Looks at the library anew when asked. While one look is running, a second request is turned away at once. */
export function createRefresher(deps: {
  readonly refresh: () => Promise<Snapshot>;
  readonly usage: Pick<Usage, "record">;
}): () => Promise<RefreshAnswer> {
  let running = false;
  return async () => {
    if (running) {
      return { success: false, message: "A refresh is already running; its result is the newest there is." };
    }
    running = true;
    try {
      const { library } = await deps.refresh();
      const count = library.skills.size;
      deps.usage.record("refresh", { mode: "local", success: true, skills_reindexed: count });
      return {
        success: true,
        mode: "local",
        skills_reindexed: count,
        message: "Reindexed from local directory (no git sync configured).",
      };
    } finally {
      running = false;
    }
  };
}
