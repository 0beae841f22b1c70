import path from "node:path";
import { parseSourceAddress, type SourceAddress } from "#sources";
import { Refusal } from "#util/pure";
import type { LockedSkill, LockFormat } from "../lock/lock-text.ts";

/** How a lock names a source: the fields that the `skills` tool reads and writes. */
export type LockedSource = Pick<LockedSkill, "source" | "sourceType" | "sourceUrl" | "ref">;

const GITHUB = /^https:\/\/github\.com\/([^/]+\/[^/]+?)(?:\.git)?$/i;

/** `base` is the folder of the lock: a project's folders are written relative to it. */
export function lockedSource(address: SourceAddress, format: LockFormat, base: string): LockedSource {
  switch (address.kind) {
    case "git": {
      const { url } = address.repo;
      const ref = address.ref === undefined ? {} : { ref: address.ref };
      const onGitHub = GITHUB.exec(url)?.[1];
      if (onGitHub !== undefined) {
        const sourceUrl = format === "user" ? { sourceUrl: `https://github.com/${onGitHub}.git` } : {};
        return { source: onGitHub, ...sourceUrl, ...ref, sourceType: "github" };
      }
      const sourceType = /^https:\/\/gitlab\.com\//i.test(url) ? "gitlab" : "git";
      return { source: url, sourceUrl: url, ...ref, sourceType };
    }
    case "folder": {
      const folder = path.resolve(base, address.folder);
      const source = format === "project" ? portable(path.relative(base, folder)) : folder;
      return { source, ...(format === "user" ? { sourceUrl: folder } : {}), sourceType: "local" };
    }
    case "site":
      return { source: new URL(address.url).host, sourceUrl: address.url, sourceType: "well-known" };
    case "npm": {
      const version = address.version === undefined ? "" : `@${address.version}`;
      return { source: `npm:${address.name}${version}`, sourceType: "npm" };
    }
    default: {
      const { kind, place, isRemote } = address;
      const file = isRemote ? place : path.resolve(base, place);
      const source = isRemote || format === "user" ? file : portable(path.relative(base, file));
      return { source, sourceType: kind };
    }
  }
}

/** The address to fetch a locked skill from again; undefined for what another tool gets, such as npm. */
export function addressOf(
  { source, sourceType, sourceUrl, ref, raw }: LockedSkill,
  base: string,
): SourceAddress | undefined {
  const withRef = (address: string): string => (ref === undefined ? address : `${address}#${ref}`);
  try {
    switch (sourceType) {
      case "github":
        return parseSourceAddress(withRef(source));
      case "git":
      case "gitlab":
        return parseSourceAddress(withRef(sourceUrl ?? source));
      case "local":
        return { kind: "folder", folder: path.resolve(base, source) };
      case "well-known": {
        const given = raw["sourceBaseUrl"];
        const url = typeof given === "string" ? given : (sourceUrl ?? source);
        return isWebAddress(url) ? { kind: "site", url: url.replace(/\/\.well-known\/.*$/, "") } : undefined;
      }
      case "archive":
      case "marketplace": {
        const isRemote = /^[a-z]+:\/\//i.test(source);
        if (isRemote && !isWebAddress(source)) return undefined;
        return { kind: sourceType, place: isRemote ? source : path.resolve(base, source), isRemote };
      }
      case "npm":
        return parseSourceAddress(source);
      default:
        return undefined;
    }
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

/** Whether two entries come from one source; the branch or tag may differ. */
export function isSameSource(a: LockedSource, b: LockedSource): boolean {
  const key = ({ source, sourceType, sourceUrl }: LockedSource): string =>
    `${sourceType} ${(sourceType === "github" ? source : (sourceUrl ?? source)).replace(/\.git$|\/\.well-known\/.*$|\/$/, "").toLowerCase()}`;
  return key(a) === key(b);
}

/** How a source is shown: `owner/repo@1a2b3c4`, or the version where it has one. */
export function shownSource(
  { source, ref }: LockedSource,
  commit: string | undefined,
  version?: string,
): string {
  const at = shortVersion(commit ?? version) ?? ref;
  return at === undefined ? source : `${source}@${at}`;
}

/** How the source of a locked skill is shown. */
export function lockedAs(locked: LockedSkill): string {
  return shownSource(locked, locked.own?.commit, locked.own?.version);
}

/** As the `skills` tool writes the folders of a project. */
function portable(relative: string): string {
  if (path.isAbsolute(relative)) return relative.split(path.sep).join("/");
  const text = relative.split(path.sep).join("/");
  if (text === "") return ".";
  return text === ".." || text.startsWith("../") ? text : `./${text}`;
}

/** The start of a commit or a digest; anything else as it is. */
export function shortVersion(version: string | undefined): string | undefined {
  const [, hash] = /^(?:sha256:)?([0-9a-f]{40,64})$/.exec(version ?? "") ?? [];
  return hash?.slice(0, 7) ?? version;
}
