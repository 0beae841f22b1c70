import type { Snapshot } from "#skills";
import { lookUp } from "#skills";
import type { GitLibraries } from "./git-libraries.ts";

interface SettledDeps {
  readonly snapshot: () => Promise<Snapshot>;
  readonly refresh: () => Promise<Snapshot>;
  readonly git: Pick<GitLibraries, "fetchMissing"> | undefined;
}

/** Until the first clone of a repository has ended, what it holds is unknown, so that whoever wants it waits. */
export function createSettledSnapshot({ snapshot, refresh, git }: SettledDeps) {
  let fetched: Promise<unknown> | undefined;
  const settled = async (): Promise<Snapshot> => {
    if (git === undefined) return snapshot();
    fetched ??= git.fetchMissing().then((waited) => (waited ? refresh() : undefined));
    await fetched.catch((error: unknown) => {
      // The next caller tries again.
      fetched = undefined;
      throw error;
    });
    return snapshot();
  };
  return {
    settled,
    /** A snapshot with a skill of this name, if there is one. Only for a name that nobody has yet does it wait. */
    async with(name: string): Promise<Snapshot> {
      const current = await snapshot();
      return lookUp(current.catalog.names, name.trim()).kind === "unknown" ? settled() : current;
    },
  };
}
