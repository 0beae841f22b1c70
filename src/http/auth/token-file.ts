import { createHash, timingSafeEqual } from "node:crypto";
import { unwatchFile, watchFile } from "node:fs";
import { Refusal } from "../../skill/refusal.ts";
import type { Log } from "../../system/log.ts";
import { grantedScopes, type Principal, SCOPES, type TokenVerifier } from "./principal.ts";
import { readTokenText, type TokenText } from "./read-token-text.ts";

interface NamedToken {
  readonly digest: Buffer;
  readonly principal: Principal & { readonly subject: string };
}

export interface TokenFileOptions {
  readonly file: string;
  readonly log: Log;
  /** Told of the names whose tokens are no longer valid. */
  readonly onRevoked: (subjects: ReadonlySet<string>) => void;
  /** How often to look at the file. Polling also notices a file that was replaced, or a link that was moved. */
  readonly lookEveryMs?: number;
}

const LOOK_EVERY_MS = 1_000;
const SHORT_TOKEN = 16;

/** Tokens with names, one a line; the file is read again when it changes. Only digests stay in memory. */
export async function openTokenFile(options: TokenFileOptions): Promise<TokenVerifier> {
  const { file, log, onRevoked } = options;
  const first = await readTokens(file, log);
  let { tokens } = first;

  const reload = async (): Promise<void> => {
    try {
      const { tokens: fresh } = await readTokens(file, log);
      const revoked = tokens
        .filter(({ digest }) => !fresh.some((token) => token.digest.equals(digest)))
        .map(({ principal }) => principal.subject);
      tokens = fresh;
      log.info(`${file} was read again: ${fresh.length} tokens.`);
      if (revoked.length > 0) onRevoked(new Set(revoked));
    } catch (error) {
      log.warn(`the tokens stay as they were: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const onStat = (): void => void reload();
  if (!first.isPipe)
    watchFile(file, { interval: options.lookEveryMs ?? LOOK_EVERY_MS, persistent: false }, onStat);

  return {
    verify(token) {
      const digest = digestOf(token);
      // Every token is compared, so that the time tells nothing of which one it was.
      let found: NamedToken | undefined;
      for (const known of tokens) if (timingSafeEqual(known.digest, digest)) found = known;
      return Promise.resolve(
        found === undefined ? undefined : { kind: "granted", principal: found.principal },
      );
    },
    close: () => unwatchFile(file, onStat),
  };
}

interface ReadTokens extends Pick<TokenText, "isPipe"> {
  readonly tokens: readonly NamedToken[];
}

async function readTokens(file: string, log: Log): Promise<ReadTokens> {
  const { text, mode, isPipe } = await readTokenText(file);
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    log.warn(`others on this machine can read ${file}; chmod 600 keeps the tokens to you.`);
  }
  const tokens: NamedToken[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed !== "" && !trimmed.startsWith("#"))
      tokens.push(readLine(trimmed, `${file}:${index + 1}`, log));
  }
  const names = tokens.map(({ principal }) => principal.subject);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw badFile(`${file} names '${twice}' twice; give each token its own name.`);
  // One token has one subject, and so one set of scopes and limits.
  for (const [index, { digest, principal }] of tokens.entries()) {
    const before = tokens.findIndex((token) => token.digest.equals(digest));
    if (before < index)
      throw badFile(
        `${file} gives '${names[before]}' and '${principal.subject}' the same token; give each one of its own.`,
      );
  }
  if (tokens.length === 0) {
    throw badFile(`${file} holds no token. Write one as name:token, such as ann:$(openssl rand -hex 32).`);
  }
  return { tokens, isPipe };
}

function readLine(line: string, place: string, log: Log): NamedToken {
  const [, name, token, listed] = /^([^:\s]+):([A-Za-z0-9\-._~+/]+=*)(?::(.*))?$/.exec(line) ?? [];
  if (name === undefined || token === undefined) {
    throw badFile(
      `${place} is not name:token or name:token:scope,scope. A token has letters, digits and -._~+/= only.`,
    );
  }
  if (token.length < SHORT_TOKEN) log.warn(`${place}: the token of '${name}' is short enough to guess.`);
  const words = (listed ?? "skills:read")
    .split(",")
    .map((word) => word.trim())
    .map((word) => (word.includes(":") ? word : `skills:${word}`));
  const odd = words.find((word) => !SCOPES.some((scope) => scope === word));
  if (odd !== undefined) throw badFile(`${place}: '${odd}' is no scope. There are ${SCOPES.join(", ")}.`);
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
