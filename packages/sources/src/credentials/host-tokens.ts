import { mkdir, realpath } from "node:fs/promises";
import path from "node:path";
import {
  describeError,
  errorCode,
  isLoopbackHost,
  ownFolderIn,
  takeLock,
  withOpenFile,
  writeFileAtomic,
} from "#util";
import { Refusal } from "#util/pure";

/** What is sent to one host to be let in. */
export interface HostToken {
  readonly token: string;
  /** Where it is from, as messages name it: a variable or a file. */
  readonly from: string;
}

/** Finds what is for the host of an address, and for no other one. */
export type FindToken = (url: URL) => Promise<HostToken | undefined>;

interface Place {
  /** Whose `~/.skills-mcp/credentials` counts. */
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
}

const PREFIX = "SKILLS_TOKEN_";
const MOST_BYTES = 1024 * 1024;
const TOKEN = /^[\x21-\x7e]{1,8192}$/;
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::\d{1,5})?$/;

/**
 * The tokens of this user, one for each host and port. The file is read when the first one is looked for; one that others can
 * read is a `Refusal`.
 */
export function openHostTokens({ home, environment }: Place) {
  const file = path.join(ownFolderIn(home), "credentials");
  let read: Promise<ReadonlyMap<string, string>> | undefined;

  const find: FindToken = async (url) => {
    const host = hostOf(url);
    if (host === undefined) return undefined;
    const variable = variableOf(host);
    const given = environment[variable]?.trim();
    if (given !== undefined && given !== "") return { token: given, from: variable };
    read ??= readTokens(file);
    const token = (await read).get(host);
    return token === undefined ? undefined : { token, from: file };
  };

  /** Keeps a token for a host, or forgets it. Returns whether there was one. */
  async function change(host: string, token: string | undefined): Promise<boolean> {
    const folder = path.join(path.dirname(file), "cache", "credentials");
    if (token !== undefined && !TOKEN.test(token))
      throw refused("The token is empty, too long, or has a space or a character that no token has.");
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = await takeLock(folder, Date.now, () => false);
    try {
      const tokens = new Map(await readTokens(file));
      const hadOne = tokens.delete(host);
      if (token !== undefined) tokens.set(host, token);
      else if (!hadOne) return false;
      const lines = [...tokens].map(([name, value]) => `${name} ${value}\n`);
      await writeFileAtomic(file, lines.join(""), { mode: 0o600 });
      return hadOne;
    } finally {
      await lock?.release();
    }
  }

  return { file, find, change, hosts: async () => [...(await readTokens(file)).keys()].sort() };
}

/** The variable of a host: upper case, `__` for a hyphen so that no two hosts share one, `_` for everything else. */
export function variableOf(host: string): string {
  const name = host
    .toUpperCase()
    .replaceAll("-", "__")
    .replaceAll(/[^A-Z0-9_]/g, "_");
  return `${PREFIX}${name}`;
}

/** Whether a variable has a token of some host: no program that is started gets it. */
export const isTokenVariable = (name: string): boolean => name.startsWith(PREFIX);

/**
 * The host and port of an address as tokens are kept for it; undefined where none is sent, because it is not encrypted and
 * leaves this machine.
 */
export function hostOf({ protocol, hostname, host, port }: URL): string | undefined {
  if (protocol === "https:") return host;
  if (protocol !== "http:" || !isLoopbackHost(hostname)) return undefined;
  return port === "" ? `${host}:80` : host;
}

/** What a person names: a host, with a port if it has another one than 443, or any address there. */
export function parseHost(given: string): string {
  const text = given.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.username !== "" || url.password !== "")
    // Not repeated: it may be a token.
    throw refused("What was given is no host; write one such as skills.example.com or 127.0.0.1:4700.");
  const host = hostOf(url);
  if (host === undefined || !HOST.test(host))
    throw refused(
      `No token is sent to ${url.protocol}//${url.host}: use https; plain http is only allowed for this machine.`,
    );
  return host;
}

/** `Bearer …`, or `Basic …` for a name and a password with a colon between them, which no bearer token has. */
export function authorizationOf({ token }: HostToken): string {
  return token.includes(":") ? `Basic ${Buffer.from(token).toString("base64")}` : `Bearer ${token}`;
}

/** The way out of a 401. */
export function loginAdvice(host: string, sent: HostToken | undefined): string {
  const login = `run skills-mcp login ${host}`;
  return sent === undefined
    ? `it needs a login: ${login}`
    : `the token of ${sent.from} was refused: ${login}`;
}

async function readTokens(file: string): Promise<ReadonlyMap<string, string>> {
  let text: string;
  try {
    text = await readOwnFile(file);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (errorCode(error) === "ENOENT") return new Map();
    throw refused(`${file} cannot be read: ${describeError(error)}.`);
  }
  const tokens = new Map<string, string>();
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [host = "", token = "", ...more] = line.trim().split(/\s+/);
    // The line is not repeated: it has a token.
    if (!HOST.test(host) || !TOKEN.test(token) || more.length > 0)
      throw refused(`${file}:${at + 1} is not '<host> <token>'; correct or remove the line.`);
    tokens.set(host, token);
  }
  return tokens;
}

/** The file as it was when it was opened, so that nothing is swapped between the check and the read. */
async function readOwnFile(file: string): Promise<string> {
  return withOpenFile(await realpath(file), async ({ stats, readStart }) => {
    if (!stats.isFile()) throw refused(`${file} is not a file; move it away and run skills-mcp login again.`);
    const user = process.getuid?.();
    if (user !== undefined && stats.uid !== user && stats.uid !== 0)
      throw refused(`${file} belongs to another user, so its tokens are not used; remove it.`);
    // Windows has no such modes: there, the home folder is the user's own.
    if (user !== undefined && (stats.mode & 0o077) !== 0)
      throw refused(`${file} can be read by others, so its tokens are not used; run chmod 600 ${file}.`);
    if (stats.size > MOST_BYTES) throw refused(`${file} is larger than 1 MiB, which is no file of tokens.`);
    return (await readStart(stats.size)).toString("utf8");
  });
}

function refused(message: string): Refusal {
  return new Refusal(message, { code: "bad-credentials" });
}
