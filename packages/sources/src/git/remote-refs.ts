/** What a remote says about a ref, from one `ls-remote`. */
export interface RemoteRefs {
  /** The commit of the default branch; undefined for an empty repository. */
  readonly head: string | undefined;
  readonly defaultBranch: string | undefined;
  /** Every listed name, such as `refs/heads/main`, with its commit; of an annotated tag the commit that it points to. */
  readonly commits: ReadonlyMap<string, string>;
}

/** A commit, and what to fetch it by: the whole name of a branch or a tag, or the commit where no name leads to it. */
export interface ResolvedRef {
  readonly commit: string;
  readonly ref: string;
}

const OBJECT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Parses `git ls-remote --symref <url> <patterns…>`. Patterns match the ends of names, so more may be listed than asked for. */
export function parseRemoteRefs(listing: string): RemoteRefs {
  const commits = new Map<string, string>();
  let defaultBranch: string | undefined;
  for (const line of listing.split("\n")) {
    const [value = "", name = ""] = line.split("\t");
    if (name === "HEAD") defaultBranch ??= /^ref: refs\/heads\/(.+)$/.exec(value)?.[1];
    if (!OBJECT.test(value)) continue;
    // The second line of an annotated tag has the commit.
    commits.set(name.replace(/\^\{\}$/, ""), value);
  }
  return { head: commits.get("HEAD"), defaultBranch, commits };
}

/** A branch comes before a tag of the same name, as `git clone --branch` has it. */
export function resolveRef({ head, commits }: RemoteRefs, ref: string | undefined): ResolvedRef | undefined {
  if (ref === undefined) return head === undefined ? undefined : { commit: head, ref: "HEAD" };
  for (const name of [`refs/heads/${ref}`, `refs/tags/${ref}`]) {
    const commit = commits.get(name);
    if (commit !== undefined) return { commit, ref: name };
  }
  return undefined;
}

export const isFullCommit = (ref: string): boolean => OBJECT.test(ref);

export const isShortCommit = (ref: string): boolean => /^[0-9a-f]{7,63}$/i.test(ref);
