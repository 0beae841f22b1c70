import { SyncFailure, type SyncFailureCode } from "../sync-failure.ts";

interface Explanation {
  readonly pattern: RegExp;
  readonly code: SyncFailureCode;
  readonly says: (shown: string, words: string, hasToken: boolean) => string;
}

/** What a git that failed was asked for. */
export interface Asked {
  readonly command: string;
  /** The address, as messages show it. */
  readonly shown: string;
  /** A token went along. */
  readonly hasToken: boolean;
}

/** What git says, in the C locale, and what it means. The first that matches counts. */
const EXPLANATIONS: readonly Explanation[] = [
  {
    pattern: /no space left on device|disk quota exceeded|ENOSPC|EDQUOT/i,
    code: "disk-full",
    says: () => "The disk is full, so the new version was not written; free some space.",
  },
  {
    pattern:
      /could not resolve (?:host|proxy)|name or service not known|temporary failure in name resolution/i,
    code: "unreachable",
    says: (shown) => `The host of ${shown} was not found; check the network and the address.`,
  },
  {
    pattern: /returned error: 30\d|unable to update url base from redirection|redirect/i,
    code: "moved",
    says: (shown, _words, hasToken) =>
      `${shown} sends visitors to another address, which is not followed${hasToken ? " because a token goes along" : ""}; ` +
      "put the new address in SKILLS_REPO.",
  },
  {
    pattern: /returned error: 403/i,
    code: "denied",
    says: (shown) => `${shown} refused access (403); check that the token or account may read it.`,
  },
  {
    pattern:
      /authentication failed|could not read (?:username|password)|returned error: 401|terminal prompts/i,
    code: "denied",
    says: (shown, _words, hasToken) =>
      hasToken
        ? `${shown} refused the token in GITHUB_TOKEN (401); check that it is whole, has not expired and may read the repository.`
        : `${shown} wants a login; set GITHUB_TOKEN to a token that may read it, or let git's credential helper know one.`,
  },
  {
    pattern: /permission denied \(|too many authentication failures/i,
    code: "denied",
    says: (shown) => `${shown} refused this machine's ssh key; check that the key may read it.`,
  },
  {
    pattern: /host key verification failed/i,
    code: "denied",
    says: (shown) =>
      `The ssh host of ${shown} is not known yet; connect once by hand with ssh to accept its key.`,
  },
  {
    pattern: /dubious ownership/i,
    code: "denied",
    says: (shown) =>
      `${shown} belongs to another user of this machine; allow it with 'git config --global --add safe.directory'.`,
  },
  {
    pattern:
      /returned error: 404|repository .*not found|does not appear to be a git repository|does not exist/i,
    code: "not-found",
    says: (shown) => `${shown} was not found; check the address, and the token if the repository is private.`,
  },
  {
    pattern: /returned error: 429/i,
    code: "server-error",
    says: (shown) => `${shown} asks for fewer requests (429).`,
  },
  {
    pattern: /returned error: 5\d\d/i,
    code: "server-error",
    says: (shown, words) =>
      `The server of ${shown} failed (${/returned error: (5\d\d)/i.exec(words)?.[1] ?? "5xx"}).`,
  },
  {
    pattern: /operation too slow|operation timed out|connection timed out|timeout was reached/i,
    code: "time-out",
    says: (shown) => `${shown} answered too slowly or not at all, so the transfer was ended.`,
  },
  {
    pattern:
      /failed to connect|couldn't connect|connection refused|unable to connect|no route to host|network is unreachable|ssl|certificate/i,
    code: "unreachable",
    says: (shown, words) => `${shown} could not be reached: ${words}.`,
  },
  {
    pattern: /couldn't find remote ref/i,
    code: "no-branch",
    says: (shown) => `The branch was not found on ${shown}.`,
  },
];

/** Turns what a failed git said into a sentence. `stderr` is free of secrets already. */
export function explainGit({ command, shown, hasToken }: Asked, status: string, stderr: string): SyncFailure {
  const words = lastWords(stderr);
  const found = EXPLANATIONS.find(({ pattern }) => pattern.test(stderr));
  if (found !== undefined) return new SyncFailure(found.code, found.says(shown, words, hasToken));
  return new SyncFailure(
    "git-failed",
    `'git ${command}' failed for ${shown} (${status})${words === "" ? "" : `: ${words}`}.`,
  );
}

/** The line that says what happened: git's own last `fatal:` or `error:`, else the last line. */
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
