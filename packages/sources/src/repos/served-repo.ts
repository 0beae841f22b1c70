import type { LocatedLibrary } from "#skills";
import { describeError, type Log } from "#util";
import type { ListedRepo } from "../address/repo-list.ts";
import type { GitSource } from "../git-source.ts";
import { type RepoContents, readRepoContents } from "./repo-contents.ts";

/** One address of a repository, and what its current version holds. */
export interface ServedRepo {
  readonly name: string;
  /** A project names it, so only its skills and plugins count. */
  readonly isForeign: boolean;
  readonly source: GitSource;
  /** Of the current version; undefined before the first clone. */
  contents(): Promise<RepoContents | undefined>;
  /** Contents for a scan, which sees this version to its end, even if a newer one arrives meanwhile. */
  plan(): Promise<RepoContents | undefined>;
  /** The library in the version that the running scan planned. */
  library(): Promise<LocatedLibrary | undefined>;
}

export function createServedRepo(address: ListedRepo, source: GitSource, log: Log): ServedRepo {
  /** A version never changes, so it is examined once. */
  let known: { readonly folder: string; readonly contents: Promise<RepoContents> } | undefined;
  let planned: Promise<RepoContents | undefined> | undefined;

  async function contents(): Promise<RepoContents | undefined> {
    const content = await source.content();
    if (content === undefined) return undefined;
    if (known?.folder === content.folder) return known.contents;
    const reading = readRepoContents(content, address);
    known = { folder: content.folder, contents: reading };
    const { nothing } = await reading.catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    if (nothing !== undefined)
      log.warn(
        `git ${address.repo.name}: ${address.repo.url} ${nothing} (commit ${content.commit.slice(0, 12)})`,
      );
    return reading;
  }

  let lastGood: RepoContents | undefined;
  let lastLogged = "";
  /** One repository that cannot be read must not keep the others from being scanned. */
  async function contentsOrLast(): Promise<RepoContents | undefined> {
    try {
      lastGood = await contents();
    } catch (error) {
      const line = `git ${address.repo.name}: its content cannot be read: ${describeError(error)}`;
      if (line !== lastLogged) log.error(line);
      lastLogged = line;
    }
    return lastGood;
  }

  const plan = (): Promise<RepoContents | undefined> => {
    planned = contentsOrLast();
    return planned;
  };
  return {
    name: address.repo.name,
    isForeign: address.isForeign === true,
    source,
    contents,
    plan,
    library: async () => (await (planned ?? plan()))?.library,
  };
}
