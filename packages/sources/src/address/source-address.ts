import { fileURLToPath } from "node:url";
import { isLoopbackHost } from "#util";
import { defined, Refusal } from "#util/pure";
import { isRefName, parseRepoUrl, type RepoAddress } from "../git/repo-address.ts";

/** A git repository, and what of it is wanted. */
export interface GitAddress {
  readonly kind: "git";
  readonly repo: RepoAddress;
  /** A branch, a tag or a commit; the repository's default branch when absent. */
  readonly ref?: string;
  /** A folder in the repository, with `/`, without `.` or `..`. */
  readonly path?: string;
  /** The one skill that is wanted. */
  readonly skill?: string;
}

/** Where skills come from, as people write it. */
export type SourceAddress =
  | GitAddress
  /** A folder of this machine, as it was written. */
  | { readonly kind: "folder"; readonly folder: string }
  /** A `.zip`, `.skill`, `.tar.gz` or `.tgz` file, by path or https address. */
  | { readonly kind: "archive"; readonly place: string; readonly isRemote: boolean }
  /** A `marketplace.json` file, by path or https address. */
  | { readonly kind: "marketplace"; readonly place: string; readonly isRemote: boolean }
  /** A web site that publishes skills below `/.well-known/`. */
  | { readonly kind: "site"; readonly url: string }
  | { readonly kind: "npm"; readonly name: string; readonly version?: string };

/** Who refuses an address: a flag, a variable or a setting, as the message names it. */
export type AddressUse = string;

const ARCHIVE = /\.(?:zip|skill|tar\.gz|tgz)$/i;
const MARKETPLACE = /(?:^|[/\\])marketplace\.json$/i;
const LOCAL = /^(?:\.{0,2}[/\\]|\.{1,2}$|~(?:[/\\]|$)|[A-Za-z]:[/\\])/;
const NPM_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const NPM_VERSION = /^[\w.+~^-]{1,100}$/;
/** Hosts whose addresses in a browser name a repository. */
const HOSTS: Readonly<Record<string, string>> = {
  github: "https://github.com",
  gitlab: "https://gitlab.com",
  bitbucket: "https://bitbucket.org",
};
const GIT_HOSTS: ReadonlySet<string> = new Set([
  "github.com",
  "gitlab.com",
  "bitbucket.org",
  "codeberg.org",
  "dev.azure.com",
  "ssh.dev.azure.com",
]);
const OWNER_AND_REPO = /^([A-Za-z0-9][\w-]*)\/(?!\.{1,2}(?:\/|$))([\w.-]+?)(?:\.git)?(?:\/(.+?))?\/?$/;

/** Parses what a person types after `add`: a repository, a folder, an archive, a site, a marketplace or an npm package. */
export function parseSourceAddress(text: string, use: AddressUse = "The source"): SourceAddress {
  const given = text.trim();
  checkText(given, use);
  if (given.startsWith("npm:")) return parseNpm(given.slice("npm:".length), use);
  if (LOCAL.test(given)) return localAddress(given);
  if (/^https?:\/\//i.test(given) && !isGitUrl(given)) return webAddress(given, use);
  if (/^file:\/\/\//i.test(given) && ARCHIVE.test(given)) return localAddress(fileURLToPath(given));
  return parseGitAddress(given, use);
}

/** Parses the address of a git repository: `owner/repo`, a URL or `git@host:path`, with `#ref`, `:path` and `@skill`. */
export function parseGitAddress(text: string, use: AddressUse = "The source"): GitAddress {
  const given = text.trim();
  checkText(given, use);
  const [before, fragment] = splitOnce(given, "#");
  const { ref, path: pathAfterRef, skill: skillAfterRef } = parseFragment(fragment);
  const short = shorthand(before);
  const { url, path, skill, branch } = short ?? longForm(before);
  return gitAddress(
    {
      url,
      ref: ref ?? branch,
      path: pathAfterRef ?? path,
      skill: skillAfterRef ?? skill,
    },
    given,
    use,
  );
}

interface GitParts {
  readonly url: string;
  readonly ref?: string | undefined;
  readonly path?: string | undefined;
  readonly skill?: string | undefined;
  readonly branch?: string | undefined;
}

function gitAddress({ url, ref, path, skill }: GitParts, given: string, use: AddressUse): GitAddress {
  const repo = parseRepoUrl(url, use);
  // A host would resolve these to another repository than the one that is written there.
  if (/^https?:.*\/\.{1,2}\//i.test(url))
    throw refused(use, `contains '${given}', which names no repository; write owner/repo without '..'`);
  const folder = path?.replaceAll(/^\/+|\/+$/g, "");
  if (ref !== undefined && !isRefName(ref))
    throw refused(use, `names '${ref}', which is no branch, tag or commit`);
  if (folder !== undefined && !isPlainPath(folder))
    throw refused(use, `names the folder '${folder}'; use one inside the repository, without '..'`);
  if (skill === "") throw refused(use, `ends with '@' in '${given}'; write the name of a skill after it`);
  return {
    kind: "git",
    repo,
    ...defined({ ref }),
    ...(folder === undefined || folder === "" ? {} : { path: folder }),
    ...defined({ skill }),
  };
}

/** `owner/repo`, `github:owner/repo`, each with `/path`, `:path` or `@skill`. */
function shorthand(text: string): GitParts | undefined {
  const [, host = "github", rest = text] = /^(github|gitlab|bitbucket):(?!\/\/)(.+)$/i.exec(text) ?? [];
  const base = HOSTS[host.toLowerCase()];
  if (base === undefined || (rest === text && /[:\\]\/|^[^/]*[:@]/.test(text))) return undefined;
  const [withoutSkill, skill] = splitOnce(rest, "@");
  const [withoutPath, narrowed] = splitOnce(withoutSkill, ":");
  // Groups of GitLab nest, so a folder is only what follows a colon.
  if (host.toLowerCase() === "gitlab") {
    const project = withoutPath.replaceAll(/^\/+|\/+$|\.git$/g, "");
    return project.includes("/") ? { url: `${base}/${project}.git`, path: narrowed, skill } : undefined;
  }
  const found = OWNER_AND_REPO.exec(withoutPath);
  if (found === null) return undefined;
  const [, owner, repo, path] = found;
  return { url: `${base}/${owner}/${repo}.git`, path: narrowed ?? path, skill };
}

/** A URL or `git@host:path`, with `:path` after it, or as a browser shows a folder of a repository. */
function longForm(text: string): GitParts {
  const browsed = browsedFolder(text);
  if (browsed !== undefined) return browsed;
  const prefix = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/]*|(?:[^/:@]+@)?\[[^\]]*\]:|[^/:]+:)/i.exec(text)?.[0] ?? "";
  const rest = text.slice(prefix.length);
  // A colon before a slash belongs to a drive of Windows.
  const colon = /(?<=[^:]):(?![/:])/.exec(rest)?.index;
  const url = colon === undefined ? text : text.slice(0, prefix.length + colon);
  const path = colon === undefined ? undefined : rest.slice(colon + 1);
  const [repo, skill] = path === undefined ? splitLast(url) : [url];
  return { url: repo, path, skill };
}

/** `…/repo.git@skill`; the `@` of a user comes before a colon or a slash. */
function splitLast(url: string): readonly [string, string?] {
  const found = /^(.*\.git)@([^/:]*)$/.exec(url);
  return found === null ? [url] : [found[1] ?? url, found[2] ?? ""];
}

/** `…/owner/repo/tree/main/skills/pdf`, GitLab's `…/-/tree/…`, Bitbucket's `…/src/…`, and the same with a file. */
function browsedFolder(text: string): GitParts | undefined {
  const found = /^(https?:\/\/[^/]+)\/(.+?)\/(?:-\/)?(?:tree|blob|src)\/([^/]+)(?:\/(.*))?$/i.exec(text);
  if (found === null) return undefined;
  const [, host, project = "", branch, inside = ""] = found;
  const path = inside.replace(/(?:^|\/)SKILL\.md$/i, "");
  return { url: `${host}/${project.replace(/\.git$/, "")}.git`, branch, path: decoded(path) };
}

/** `ref`, `ref:path` or `ref@skill`. */
function parseFragment(fragment: string | undefined): Omit<GitParts, "url"> {
  if (fragment === undefined) return {};
  const [withoutSkill, skill] = splitOnce(fragment, "@");
  const [ref, path] = splitOnce(withoutSkill, ":");
  return { ref, path, skill };
}

function isGitUrl(text: string): boolean {
  const [address] = splitOnce(text, "#");
  if (!URL.canParse(address)) return true;
  const { hostname, pathname } = new URL(address);
  const isFile = ARCHIVE.test(pathname) || MARKETPLACE.test(pathname);
  // GitHub serves archives and raw files of repositories, too.
  if (isFile) return false;
  return GIT_HOSTS.has(hostname.toLowerCase()) || /\.git(?:[:@/].*)?$|\/-\/tree\//.test(pathname);
}

function webAddress(text: string, use: AddressUse): SourceAddress {
  const url = new URL(text);
  if (url.username !== "" || url.password !== "")
    throw refused(use, "has a user name or password in its address; remove them");
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname))
    throw refused(use, `is '${text}'; http is not encrypted and only allowed for this machine, use https`);
  if (ARCHIVE.test(url.pathname)) return { kind: "archive", place: text, isRemote: true };
  if (MARKETPLACE.test(url.pathname)) return { kind: "marketplace", place: text, isRemote: true };
  return { kind: "site", url: text };
}

function localAddress(text: string): SourceAddress {
  if (ARCHIVE.test(text)) return { kind: "archive", place: text, isRemote: false };
  if (MARKETPLACE.test(text)) return { kind: "marketplace", place: text, isRemote: false };
  return { kind: "folder", folder: text };
}

function parseNpm(text: string, use: AddressUse): SourceAddress {
  const at = text.lastIndexOf("@");
  const name = at > 0 ? text.slice(0, at) : text;
  const version = at > 0 ? text.slice(at + 1) : undefined;
  if (!NPM_NAME.test(name)) throw refused(use, `is 'npm:${text}', which is not the name of an npm package`);
  if (version !== undefined && !NPM_VERSION.test(version))
    throw refused(use, `is 'npm:${text}'; write a version or a tag after '@'`);
  return { kind: "npm", name, ...defined({ version }) };
}

/** A path inside a folder, on every system. */
function isPlainPath(path: string): boolean {
  if (path === "") return true;
  return (
    path.length <= 1000 &&
    !path.includes("\\") &&
    path.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  );
}

function checkText(text: string, use: AddressUse): void {
  if (text === "") throw refused(use, "is empty; write owner/repo, a URL or a folder");
  if (text.startsWith("-"))
    throw refused(
      use,
      `is '${text}', which starts with '-' and would be read as an option; write owner/repo, a URL or a folder`,
    );
  if (/[\u0000-\u001f\u007f-\u009f]/.test(text)) throw refused(use, "has a control character");
}

function splitOnce(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function refused(use: AddressUse, reason: string): Refusal {
  return new Refusal(`${use} ${reason}.`, { code: "bad-usage", flag: use });
}
