import { timingSafeEqual } from "node:crypto";
import { constants, openSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { Socket } from "node:net";
import { addAbortSignal } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { onFilesChange } from "#config";
import { isProfileName, unknownProfile } from "#skills";
import { describeError, errorCode, type Log, platform, sha256, singleFlight } from "#util";
import { Refusal } from "#util/pure";
import type { TokenVerifier } from "./authenticate.ts";
import { grantedScopes, type Principal, SCOPES } from "./principal.ts";

/** What can be read again. */
interface Reloadable {
  reload(): Promise<void>;
}

interface NamedToken {
  readonly digest: Buffer;
  readonly principal: Principal & { readonly subject: string };
}

/** The profiles that there are. */
export interface KnownNames {
  names(): readonly string[];
  has(name: string): boolean;
}

export interface TokenFileOptions {
  readonly file: string;
  /** What its lines may name; anything when absent. */
  readonly profiles?: KnownNames | undefined;
  readonly log: Log;
  /** Called with the names whose tokens are no longer valid. */
  readonly onRevoked: (subjects: ReadonlySet<string>) => void;
}

/** Time limit for a program that writes the tokens, as in `--token-file <(…)`. SIGTERM waits for it too. */
const MAX_PIPE_MS = 5_000;
const SHORT_TOKEN = 16;

/** Named tokens, one per line; the file is read again when it changes. Only digests stay in memory. */
export async function openTokenFile({
  file,
  profiles,
  log,
  onRevoked,
}: TokenFileOptions): Promise<TokenVerifier & Reloadable> {
  const read = () => readTokens(file, profiles, log);
  const first = await read();
  let { tokens } = first;

  // One at a time: an older reading must not replace a newer one.
  const reload = singleFlight(async (): Promise<void> => {
    try {
      const { tokens: fresh } = await read();
      const revoked = tokens
        .filter((token) => !fresh.some((other) => isSameCredential(token, other)))
        .map(({ principal }) => principal.subject);
      tokens = fresh;
      log.info(`token file ${file} reloaded: ${fresh.length} ${fresh.length === 1 ? "token" : "tokens"}`);
      if (revoked.length > 0) onRevoked(new Set(revoked));
    } catch (error) {
      log.error(`token file not reloaded, the previous tokens remain valid: ${describeError(error)}`);
    }
  });
  // A pipe can be read only once.
  const stopWatching = first.isPipe ? () => {} : onFilesChange([file], () => void reload());

  return {
    verify(token) {
      const digest = sha256(token);
      // Every token is compared, so that the duration does not reveal which one matched.
      let found: NamedToken | undefined;
      for (const known of tokens) if (timingSafeEqual(known.digest, digest)) found = known;
      return Promise.resolve(
        found === undefined ? undefined : { kind: "granted", principal: found.principal },
      );
    },
    reload: first.isPipe ? () => Promise.resolve() : reload,
    close: stopWatching,
  };
}

/** With another profile, what a session shows is no longer its caller's to see. */
function isSameCredential(a: NamedToken, b: NamedToken): boolean {
  return a.digest.equals(b.digest) && a.principal.profile === b.principal.profile;
}

async function readTokens(file: string, profiles: KnownNames | undefined, log: Log) {
  const { text, mode, isPipe } = await readText(file).catch((error: unknown) => {
    const wayOut =
      errorCode(error) === "ENOENT" ? "; write a line name:token for each caller, or check --token-file" : "";
    throw badFile(`The token file ${file} cannot be read: ${describeError(error)}${wayOut}.`);
  });
  // A group may read it: that is how a mounted secret reaches a process that is not root.
  if (platform.files.haveModes && (mode & 0o007) !== 0) {
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
  for (const { principal } of tokens) refuseUnknownProfile(file, principal, profiles);
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

/** A misspelled profile would leave its caller without anything. */
function refuseUnknownProfile(
  file: string,
  { subject, profile }: NamedToken["principal"],
  profiles: KnownNames | undefined,
): void {
  if (profile === undefined || profiles === undefined || profiles.has(profile)) return;
  throw badFile(`${file}, '${subject}': ${unknownProfile(profile, profiles.names())}`);
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
      `${place} is not name:token, name:token:scope,scope or name:token:scope,scope:profile. A token may contain letters, digits and -._~+/= only.`,
    );
  }
  if (token.length < SHORT_TOKEN)
    log.warn(
      `${place}: the token of '${name}' is short enough to guess; use at least ${SHORT_TOKEN} characters`,
    );
  const { scopes, profile } = splitColumns(listed ?? "");
  if (profile !== undefined && !isProfileName(profile))
    throw badFile(`${place}: '${profile}' is not the name of a profile.`);
  const words = (scopes === "" ? "skills:read" : scopes)
    .split(",")
    .map((word) => word.trim())
    .map((word) => (word.includes(":") ? word : `skills:${word}`));
  const unknown = words.find((word) => !SCOPES.some((scope) => scope === word));
  if (unknown !== undefined)
    throw badFile(`${place}: unknown scope '${unknown}'. Scopes are ${SCOPES.join(", ")}.`);
  return {
    digest: sha256(token),
    principal: {
      subject: name,
      scopes: grantedScopes(words),
      expiresAt: undefined,
      ...(profile === undefined ? {} : { profile }),
    },
  };
}

/** `read,run:web` and `skills:read,skills:run:web`: a scope may contain a colon, so a profile follows the last scope. */
function splitColumns(columns: string): { readonly scopes: string; readonly profile: string | undefined } {
  const [, before = "", last = "", profile] =
    /^(.*,)?(\s*(?:skills:)?[^:,]*)(?::([^,]*))?$/.exec(columns) ?? [];
  const scopes = before + last === "" && profile === undefined ? columns : before + last;
  return { scopes: scopes.trim(), profile: profile?.trim() };
}

function badFile(message: string): Refusal {
  return new Refusal(message, { code: "bad-usage", flag: "--token-file" });
}
