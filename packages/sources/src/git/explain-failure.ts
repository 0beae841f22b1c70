import { isLoopbackHost } from "#util";
import { hostOf } from "../credentials/host-tokens.ts";
import { SyncFailure, type SyncFailureCode } from "../sync-failure.ts";

type Explain = (shown: string, words: string, tokenFrom: string | undefined) => string;

/** Messages of git in the C locale, and what they mean. The first match counts. */
const EXPLANATIONS: readonly (readonly [RegExp, SyncFailureCode, Explain])[] = [
  [
    /no space left on device|disk quota exceeded|ENOSPC|EDQUOT/i,
    "disk-full",
    (shown) => `The disk is full, so the content of ${shown} was not written; free some space.`,
  ],
  [
    /could not resolve (?:host|proxy)|name or service not known|temporary failure in name resolution/i,
    "unreachable",
    (shown) => `The host of ${shown} was not found; check the network and the address.`,
  ],
  [
    /returned error: 30\d|unable to update url base from redirection|redirect/i,
    "moved",
    (shown, _words, tokenFrom) =>
      `${shown} redirects to another address, which is not followed${tokenFrom === undefined ? "" : " because a token is sent"}; ` +
      "put the new address in SKILLS_REPO.",
  ],
  [
    /returned error: 403/i,
    "denied",
    (shown) => `${shown} denied access (403); check that the token or account may read it.`,
  ],
  [
    /authentication failed|could not read (?:username|password)|returned error: 401|terminal prompts/i,
    "denied",
    (shown, _words, tokenFrom) =>
      tokenFrom === undefined
        ? `${shown} requires a login; ${waysToLogIn(shown)} configure git's credential helper.`
        : `${shown} rejected the token in ${tokenFrom} (401); check that it is complete, has not expired and may read the repository.`,
  ],
  [
    /permission denied \(|too many authentication failures/i,
    "denied",
    (shown) => `${shown} rejected this machine's ssh key; check that the key may read it.`,
  ],
  [
    /host key verification failed/i,
    "denied",
    (shown) => `The ssh host key of ${shown} is unknown; connect once with ssh to accept it.`,
  ],
  [
    /dubious ownership/i,
    "denied",
    (shown) =>
      `${shown} belongs to another user of this machine; allow it with 'git config --global --add safe.directory'.`,
  ],
  [
    /returned error: 404|repository .*not found|does not appear to be a git repository|does not exist/i,
    "not-found",
    (shown) => `${shown} was not found; check the address, and the token if the repository is private.`,
  ],
  [/returned error: 429/i, "server-error", (shown) => `${shown} answered 429: too many requests.`],
  [
    /returned error: 5\d\d/i,
    "server-error",
    (shown, words) =>
      `The server of ${shown} failed (${/returned error: (5\d\d)/i.exec(words)?.[1] ?? "5xx"}).`,
  ],
  [
    /operation too slow|operation timed out|connection timed out|timeout was reached/i,
    "time-out",
    (shown) => `${shown} answered too slowly or not at all, so the transfer was ended.`,
  ],
  [
    /failed to connect|couldn't connect|connection refused|unable to connect|no route to host|network is unreachable|ssl|certificate/i,
    "unreachable",
    (shown, words) => `${shown} is unreachable: ${words}.`,
  ],
  [/couldn't find remote ref/i, "no-branch", (shown) => `${shown} has no such branch.`],
];

/** GITHUB_TOKEN is for GitHub, and for an address of this machine that the operator names. */
function waysToLogIn(shown: string): string {
  const url = URL.canParse(shown) ? new URL(shown) : undefined;
  const host = url && hostOf(url);
  if (url === undefined || host === undefined) return "";
  const isGitHub = host === "github.com" || isLoopbackHost(url.hostname);
  return `${isGitHub ? "set GITHUB_TOKEN to a token that may read it, " : ""}run skills-mcp login ${host}, or`;
}

/** Turns the output of a failed git into a sentence. `shown` is the address for messages; `stderr` must be redacted. */
export function explainGit(
  { command, shown, tokenFrom }: { command: string; shown: string; tokenFrom: string | undefined },
  status: string,
  stderr: string,
): SyncFailure {
  const words = lastWords(stderr);
  const [, code, explain] = EXPLANATIONS.find(([pattern]) => pattern.test(stderr)) ?? [];
  if (code !== undefined && explain !== undefined)
    return new SyncFailure(code, explain(shown, words, tokenFrom));
  const reason = words === "" ? "" : `: ${words}`;
  return new SyncFailure("git-failed", `'git ${command}' failed for ${shown} (${status})${reason}.`);
}

/** The line that says what happened: git's last `fatal:` or `error:`, else the last line. */
function lastWords(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("hint:"));
  const line = lines.findLast((text) => /^(?:fatal|error):/.test(text)) ?? lines.at(-1) ?? "";
  return line
    .replace(/^(?:fatal|error):\s*/, "")
    .replace(/[.\s]+$/, "")
    .slice(0, 300);
}
