import { sha256 } from "#util";
import type { RepoPlace, Skill } from "../skill/skill.ts";

/** Where content came from, as far as it is known. */
export interface Provenance {
  readonly repository?: string;
  readonly commit?: string;
  /** In the repository, with `/`. */
  readonly path?: string;
  /** Whose repository or marketplace it is. */
  readonly owner?: string;
  /** Digest of the served text, as `sha256:` and 64 digits. */
  readonly sha256?: string;
  /** Digest of all files of the approved version that is served, in the same form. */
  readonly approved?: string;
}

/** The provenance of the file of a skill. */
export function provenanceOf({ repo, plugin, approved }: Skill, text: string): Provenance {
  return {
    ...repoProvenance(repo),
    ...(repo === undefined && plugin?.marketplace !== undefined ? { owner: plugin.marketplace } : {}),
    sha256: sha256Of(text),
    ...(approved === undefined ? {} : { approved: `sha256:${approved.digest}` }),
  };
}

/** The provenance of any file of a skill; undefined where only its digest is known. */
export function fileProvenance({ repo, approved }: Skill, digest: () => string): Provenance | undefined {
  if (repo === undefined && approved === undefined) return undefined;
  return {
    ...repoProvenance(repo),
    sha256: digest(),
    ...(approved === undefined ? {} : { approved: `sha256:${approved.digest}` }),
  };
}

export function repoProvenance(repo: RepoPlace | undefined): Provenance {
  if (repo === undefined) return {};
  const owner = ownerOf(repo.url);
  return {
    repository: repo.url,
    commit: repo.commit,
    ...(repo.path === "" ? {} : { path: repo.path }),
    ...(owner === undefined ? {} : { owner }),
  };
}

/** `acme` of `https://github.com/acme/skills` and `git@github.com:acme/skills`; undefined for a folder. */
function ownerOf(url: string): string | undefined {
  const [, path = ""] =
    /^(?!file:)[a-z][a-z0-9+.-]*:\/\/[^/]+\/(.*)$/i.exec(url) ??
    /^(?:[^/@:]+@)?[^/:]+:([^/:].*)$/.exec(url) ??
    [];
  const parts = path.split("/").filter((part) => part !== "");
  return parts.length < 2 ? undefined : parts[0];
}

export function sha256Of(content: string | Uint8Array): string {
  return `sha256:${sha256(content).toString("hex")}`;
}
