import { createHash, timingSafeEqual } from "node:crypto";
import { constants, openSync, unwatchFile, watchFile } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { Socket } from "node:net";
import { addAbortSignal } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { Refusal } from "../../skill/refusal.ts";
import { describeError } from "../../system/files/file-system.ts";
import type { Log } from "../../system/log.ts";
import type { TokenVerifier } from "./authenticate.ts";
import { grantedScopes, type Principal, SCOPES } from "./principal.ts";

interface NamedToken {
  readonly digest: Buffer;
  readonly principal: Principal & { readonly subject: string };
}

export interface TokenFileOptions {
  readonly file: string;
  readonly log: Log;
  /** Called with the names whose tokens are no longer valid. */
  readonly onRevoked: (subjects: ReadonlySet<string>) => void;
}

/** Time limit for a program that writes the tokens, as in `--token-file <(…)`. SIGTERM waits for it too. */
const MAX_PIPE_MS = 5_000;
/** Polling also notices a file that was replaced, or a link that was moved. */
const POLL_INTERVAL_MS = 1_000;
const SHORT_TOKEN = 16;

/** Named tokens, one per line; the file is read again when it changes. Only digests stay in memory. */
export async function openTokenFile({ file, log, onRevoked }: TokenFileOptions): Promise<TokenVerifier> {
  const first = await readTokens(file, log);
  let { tokens } = first;

  const reload = async (): Promise<void> => {
    try {
      const { tokens: fresh } = await readTokens(file, log);
      const revoked = tokens
        .filter(({ digest }) => !fresh.some((token) => token.digest.equals(digest)))
        .map(({ principal }) => principal.subject);
      tokens = fresh;
      log.info(`token file ${file} reloaded: ${fresh.length} ${fresh.length === 1 ? "token" : "tokens"}`);
      if (revoked.length > 0) onRevoked(new Set(revoked));
    } catch (error) {
      log.warn(`token file not reloaded, the previous tokens remain valid: ${describeError(error)}`);
    }
  };
  const onStat = (): void => void reload();
  // A pipe can be read only once.
  if (!first.isPipe) watchFile(file, { interval: POLL_INTERVAL_MS, persistent: false }, onStat);

  return {
    verify(token) {
      const digest = digestOf(token);
      // Every token is compared, so that the duration does not reveal which one matched.
      let found: NamedToken | undefined;
      for (const known of tokens) if (timingSafeEqual(known.digest, digest)) found = known;
      return Promise.resolve(
        found === undefined ? undefined : { kind: "granted", principal: found.principal },
      );
    },
    close: () => unwatchFile(file, onStat),
  };
}

async function readTokens(file: string, log: Log) {
  const { text, mode, isPipe } = await readText(file).catch((error: unknown) => {
    throw badFile(`The token file ${file} cannot be read: ${describeError(error)}.`);
  });
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    log.warn(`other users on this machine can read ${file}; run chmod 600 on it`);
  }
  const tokens: NamedToken[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed !== "" && !trimmed.startsWith("#"))
      tokens.push(readLine(trimmed, `${file}:${index + 1}`, log));
  }
  if (tokens.length === 0) {
    throw badFile(`${file} has no token. Add one as name:token, such as ann:$(openssl rand -hex 32).`);
  }
  refuseDuplicates(file, tokens);
  return { tokens, isPipe };
}

async function readText(file: string) {
  const stats = await stat(file);
  const isPipe = stats.isFIFO();
  if (!isPipe && !stats.isFile()) throw new Error("it is neither a file nor a pipe");
  const text = isPipe ? await readPipe(file) : await readFile(file, "utf8");
  return { text, mode: stats.mode, isPipe };
}

/** Opening a pipe without a writer would block forever, so it is opened non-blocking and read like a socket. */
function readPipe(file: string): Promise<string> {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const pipe = new Socket({ fd, readable: true, writable: false });
  return textOf(addAbortSignal(AbortSignal.timeout(MAX_PIPE_MS), pipe)).catch(() => {
    throw new Error(`it is a pipe that was not closed within ${MAX_PIPE_MS / 1000} s; use a file instead`);
  });
}

/** One token has one subject, and so one set of scopes and limits. */
function refuseDuplicates(file: string, tokens: readonly NamedToken[]): void {
  const names = new Set<string>();
  const owners = new Map<string, string>();
  for (const { digest, principal } of tokens) {
    const { subject } = principal;
    const owner = owners.get(digest.toString("hex"));
    if (names.has(subject))
      throw badFile(`${file} has the name '${subject}' twice; give each token its own name.`);
    if (owner !== undefined)
      throw badFile(`${file} has the same token for '${owner}' and '${subject}'; give each its own token.`);
    names.add(subject);
    owners.set(digest.toString("hex"), subject);
  }
}

function readLine(line: string, place: string, log: Log): NamedToken {
  const [, name, token, listed] = /^([^:\s]+):([A-Za-z0-9\-._~+/]+=*)(?::(.*))?$/.exec(line) ?? [];
  if (name === undefined || token === undefined) {
    throw badFile(
      `${place} is not name:token or name:token:scope,scope. A token may contain letters, digits and -._~+/= only.`,
    );
  }
  if (token.length < SHORT_TOKEN)
    log.warn(
      `${place}: the token of '${name}' is short enough to guess; use at least ${SHORT_TOKEN} characters`,
    );
  const words = (listed ?? "skills:read")
    .split(",")
    .map((word) => word.trim())
    .map((word) => (word.includes(":") ? word : `skills:${word}`));
  const unknown = words.find((word) => !SCOPES.some((scope) => scope === word));
  if (unknown !== undefined)
    throw badFile(`${place}: unknown scope '${unknown}'. Scopes are ${SCOPES.join(", ")}.`);
  return {
    digest: digestOf(token),
    principal: { subject: name, scopes: grantedScopes(words), expiresAt: undefined },
  };
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token, "utf8").digest();
}

function badFile(message: string): Refusal {
  return new Refusal(message, { code: "bad-usage", flag: "--token-file" });
}
