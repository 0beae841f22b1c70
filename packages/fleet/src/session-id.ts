import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { sha256 } from "#util";

/** What a session begins with, as far as an id can carry it. */
export interface IdContent {
  /** The memory of Redis in which the session was opened; empty: opened without Redis. */
  readonly epoch: string;
  readonly protocolVersion: string;
  readonly clientName: string;
  readonly clientVersion: string;
}

/** 192 random bits: without authentication, the id is the only credential. */
const ID_BYTES = 24;
/** Names of clients are short; of any other the id has the beginning. */
const LONGEST_NAME = 64;
/** More than any id that was made here. */
const LONGEST_ID = 1_024;

/**
 * An id that a replica can check, and make a session of, when Redis does not have it: its random part, what the session began
 * with, and a signature over both and the caller.
 */
export function createSignedId(content: IdContent, caller: string | undefined, secret: string): string {
  const { epoch, protocolVersion, clientName, clientVersion } = content;
  const fields = [epoch, protocolVersion, shortened(clientName), shortened(clientVersion)];
  const unsigned = `${randomBytes(ID_BYTES).toString("base64url")}.${encode(JSON.stringify(fields))}`;
  return `${unsigned}.${sign(unsigned, caller, secret)}`;
}

/** What an id says, if one of the secrets signed it for this caller. */
export function readSignedId(
  id: string,
  caller: string | undefined,
  secrets: readonly string[],
): IdContent | undefined {
  const [, unsigned, text, signature] = /^([\w-]+\.([\w-]+))\.([\w-]+)$/.exec(id.slice(0, LONGEST_ID)) ?? [];
  if (unsigned === undefined || text === undefined || signature === undefined) return undefined;
  const isSigned = secrets.some((secret) => isSame(sign(unsigned, caller, secret), signature));
  if (!isSigned) return undefined;
  const [epoch = "", protocolVersion = "", clientName = "", clientVersion = ""] = JSON.parse(
    Buffer.from(text, "base64url").toString("utf8"),
  ) as readonly string[];
  return { epoch, protocolVersion, clientName, clientVersion };
}

/** The name of a session in Redis: a hash, because ids are credentials and Redis may be read by others. */
export function sessionKey(id: string): string {
  return sha256(id).toString("base64url").slice(0, 32);
}

/** A caller as Redis knows it. */
export function callerKey(caller: string | undefined): string {
  return caller === undefined ? "" : sha256(`caller\0${caller}`).toString("base64url");
}

function sign(unsigned: string, caller: string | undefined, secret: string): string {
  const what = `${unsigned}\0${caller === undefined ? "" : `caller ${caller}`}`;
  return createHmac("sha256", secret).update(what).digest("base64url");
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function shortened(text: string): string {
  return text.slice(0, LONGEST_NAME);
}

function encode(text: string): string {
  return Buffer.from(text, "utf8").toString("base64url");
}
