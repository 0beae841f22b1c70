import type { Snapshot } from "../../registry/registry.ts";
import { Refusal } from "../../skill/refusal.ts";
import type { GitLibraries } from "./git-libraries.ts";

interface Deps {
  readonly snapshot: () => Promise<Snapshot>;
  readonly refresh: () => Promise<Snapshot>;
  readonly git: GitLibraries | undefined;
}

/**
 * The library as it is known now. Before the first clone of a repository has ended nobody can say what is in it, so the
 * first callers wait; if it failed, an empty library would be a wrong answer.
 */
export function createReadySnapshot({ snapshot, refresh, git }: Deps): () => Promise<Snapshot> {
  if (git === undefined) return snapshot;
  let fetched: Promise<unknown> | undefined;
  return async () => {
    fetched ??= git.fetchMissing().then((waited) => (waited ? refresh() : undefined));
    await fetched.catch((error: unknown) => {
      // The next caller tries again.
      fetched = undefined;
      throw error;
    });
    const current = await snapshot();
    const failure = git.states().find((state) => state.failure !== undefined)?.failure;
    if (current.library.skills.size > 0 || failure === undefined) return current;
    throw new Refusal(`The library could not be fetched since ${failure.since}. ${failure.message}`, {
      code: "library",
      reason: "not-fetched",
    });
  };
}
