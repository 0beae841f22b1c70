import { createHash, createHmac } from "node:crypto";
import path from "node:path";
import { ownSecret, writeFileAtomic } from "#util";
import { declarationOf, type UsageEvent } from "../events.ts";

/** How delivered events contain the text of a query: in full, as a short hash, or not at all. */
export type QueryText = "full" | "hash" | "off";

const HASH_LENGTH = 16;
const SALT_BYTES = 32;

/** How delivered events contain what people typed, and who they are. */
export interface Disclosure {
  readonly context: QueryText;
  readonly caller: QueryText;
}

/** The event as it leaves this machine. */
export function disclosed(event: UsageEvent, { context, caller }: Disclosure, salt: string): UsageEvent {
  return withCaller(withQueryText(event, context, salt), caller, salt);
}

function withCaller(event: UsageEvent, how: QueryText, salt: string): UsageEvent {
  if (event.caller === undefined || how === "full") return event;
  const { caller, ...rest } = event;
  return how === "off" ? rest : { ...rest, caller: pseudonymOf(caller, salt) };
}

/** A digest that is equal for all events of a caller. Whoever has the events alone cannot try names. */
export function pseudonymOf(caller: string, salt: string): string {
  const digest = createHmac("sha256", salt).update(`caller\n${caller}`).digest("hex");
  return `sha256:${digest.slice(0, HASH_LENGTH)}`;
}

function withQueryText(event: UsageEvent, how: QueryText, salt: string): UsageEvent {
  if (how === "full") return event;
  const { fields } = declarationOf(event.type);
  const data = Object.entries(event.data).map(([name, value]) => {
    if (fields[name]?.role !== "query" || typeof value !== "string") return [name, value];
    return [name, how === "off" ? null : hashed(value, salt)];
  });
  return { ...event, data: Object.fromEntries(data) as UsageEvent["data"] };
}

/** Equal queries of one machine have equal hashes and can be counted. The salt keeps them from being guessed. */
function hashed(query: string, salt: string): string {
  const digest = createHash("sha256").update(salt).update("\n").update(query).digest("hex");
  return `sha256:${digest.slice(0, HASH_LENGTH)}`;
}

/** The salt of this machine. Without a disk, hashes can be compared within this process only. */
export function readSalt(folder: string): Promise<string> {
  return ownSecret(saltFile(folder), SALT_BYTES);
}

/** Replaces the salt of this machine by that of the fleet. Without a disk, the next start asks for it again. */
export async function writeSalt(folder: string, salt: string): Promise<void> {
  await writeFileAtomic(saltFile(folder), `${salt}\n`).catch(() => {});
}

const saltFile = (folder: string): string => path.join(folder, "analytics-salt");
