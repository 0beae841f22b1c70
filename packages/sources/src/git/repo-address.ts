import { isLoopbackHost } from "#util";
import { Refusal } from "#util/pure";
import { withoutUserInfo } from "./redact.ts";

/** Where a repository is. Contains no secret, so it may be shown, logged and passed to git as an argument. */
export interface RepoAddress {
  readonly url: string;
  /** The last part of the path without `.git`; unique among the addresses that were given together. */
  readonly name: string;
  readonly transport: GitTransport;
}

type GitTransport = "https" | "http" | "ssh" | "git" | "file";

/** `git@host:path`, `git@host:/path` and `git@[::1]:path`. One letter before the colon is a Windows drive. */
const SCP_LIKE = /^(?:[\w.-]+@)?(?:\w[\w.-]+|\[[0-9a-f:.]+\]):[^:-][^:]*$/i;
/** An address with a slash missing, not a host of this name. */
const SCHEME_LIKE = /^(?:https?|ssh|git|file|ftps?):\//i;

/** How people write addresses, as the way out of a message. */
export const FORMS = "owner/repo, https://…, ssh://…, git@host:path or file:///…";

/** Checks an address, so that git never gets an option, a secret or an unknown protocol. `use` is what the message names. */
export function parseRepoUrl(url: string, use = "SKILLS_REPO"): RepoAddress {
  const refused = (reason: string): Refusal => refusedAddress(use, reason);
  const shown = `'${withoutUserInfo(url)}'`;
  if (/[\u0000-\u0020\u007f-\u009f]/.test(url))
    throw refused(`has a space or a control character in an address; use ${FORMS}`);
  if (url.startsWith("-"))
    throw refused(`contains ${shown}, which starts with '-' and would be read as an option; use ${FORMS}`);
  if (SCP_LIKE.test(url) && !/^[a-z]+:\/\//i.test(url) && !SCHEME_LIKE.test(url))
    return { url, name: nameOf(url), transport: "ssh" };

  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined || !URL.canParse(url)) {
    throw refused(`contains ${shown}, which is not an address; use ${FORMS}`);
  }
  const parsed = new URL(url);
  if (parsed.search !== "" || parsed.hash !== "")
    throw refused(
      `contains '${parsed.protocol}//${parsed.host}…' with '?' or '#', which is not part of a repository's address`,
    );
  if (parsed.password !== "" || (parsed.username !== "" && scheme !== "ssh")) {
    throw refused(
      `contains a user name or password in ${shown}; remove it and set GITHUB_TOKEN, ` +
        "or use git's credential helper",
    );
  }
  if (parsed.hostname.startsWith("-") || parsed.username.startsWith("-"))
    throw refused(`contains ${shown}, whose host starts with '-'`);
  if (scheme === "file" ? parsed.hostname !== "" : /^[^:]+:\/\/\//.test(url))
    throw refused(
      `contains ${shown}, ${scheme === "file" ? "which must start with file:///" : "which has no host"}`,
    );
  if (nameOf(url) === "") throw refused(`contains ${shown}, which names no repository`);
  if (scheme === "http" && !isLoopbackHost(parsed.hostname))
    throw refused(`contains ${shown}; http is not encrypted and only allowed for this machine, use https`);
  if (scheme === "https" || scheme === "http" || scheme === "ssh" || scheme === "git" || scheme === "file")
    return { url, name: nameOf(url), transport: scheme };
  throw refused(`contains ${shown}; '${scheme}' is not supported, use https, ssh, git or file`);
}

/** The scheme, host and port of an address, which a token may be sent to. */
export function originOf({ url, transport }: RepoAddress): string | undefined {
  return transport === "https" || transport === "http" ? new URL(url).origin : undefined;
}

function segmentsOf(url: string): readonly string[] {
  const path =
    /^[a-z][a-z0-9+.-]*:\/\/[^/]*(.*)$/i.exec(url)?.[1] ?? url.replace(/^[^[:]*(?:\[[^\]]*\])?:/, "");
  return path
    .split("/")
    .map((part) => safeName(part.replace(/\.git$/i, "")))
    .filter((part) => part !== "");
}

/** The last part of an address's path without `.git`. */
export const nameOf = (url: string): string => segmentsOf(url).at(-1) ?? "";

/** A name becomes part of a folder's name and of skill paths. */
function safeName(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replaceAll(/^[.-]+|[.-]+$/g, "")
    .slice(0, 60);
}

/** `a/skills` and `b/skills` become `a-skills` and `b-skills`; names that are still equal get a number. */
export function withUniqueNames(repos: readonly RepoAddress[]): readonly RepoAddress[] {
  const isTaken = (name: string, among: readonly string[]) =>
    among.filter((other) => other.toLowerCase() === name.toLowerCase()).length > 1;
  const short = repos.map(({ name }) => name);
  const long = repos.map(({ url, name }) =>
    isTaken(name, short) ? segmentsOf(url).slice(-2).join("-") : name,
  );
  const used = new Set<string>();
  return repos.map((repo, at) => {
    const base = long[at] ?? repo.name;
    let name = base;
    for (let count = 2; used.has(name.toLowerCase()); count++) name = `${base}-${count}`;
    used.add(name.toLowerCase());
    return { ...repo, name };
  });
}

function refusedAddress(use: string, reason: string): Refusal {
  return new Refusal(`${use} ${reason}.`, { code: "bad-usage", flag: use });
}

/** Checks SKILLS_BRANCH by git's own rules, so that a bad name is refused before git runs. */
export function parseBranch(value: string): string {
  if (isRefName(value)) return value;
  // Logs show this line, so control characters are replaced.
  const shown = value.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "?").slice(0, 100);
  throw new Refusal(`SKILLS_BRANCH is '${shown}', which is not a valid branch name.`, {
    code: "bad-usage",
    flag: "SKILLS_BRANCH",
  });
}

/** A branch, a tag or a commit, by git's own rules. */
export function isRefName(value: string): boolean {
  if (value === "" || value.length > 200 || value.startsWith("-") || value === "HEAD") return false;
  if (/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\.$/.test(value)) return false;
  return value.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}
