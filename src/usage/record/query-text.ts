import { createHash, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { UsageEvent } from "../events.ts";

/** How delivered events contain the text of a query: in full, as a short hash, or not at all. */
export type QueryText = "full" | "hash" | "off";

const HASH_LENGTH = 16;

/** The event as it is sent to the endpoint. */
export function withQueryText(event: UsageEvent, query: QueryText, salt: string): UsageEvent {
  const { context, ...rest } = event.data;
  if (query === "full" || typeof context !== "string") return event;
  return { ...event, data: query === "off" ? rest : { ...event.data, context: hashed(context, salt) } };
}

/** Equal queries of one machine have equal hashes and can be counted. The salt keeps them from being guessed. */
function hashed(context: string, salt: string): string {
  const digest = createHash("sha256").update(salt).update("\n").update(context).digest("hex");
  return `sha256:${digest.slice(0, HASH_LENGTH)}`;
}

/** The salt of this machine, created by whichever process needs it first. */
export async function readSalt(folder: string): Promise<string> {
  const file = path.join(folder, "analytics-salt");
  const made = randomBytes(32).toString("hex");
  const temporary = `${file}.${made.slice(0, 16)}.tmp`;
  try {
    const cached = await readFile(file, "utf8").catch(() => "");
    if (cached.trim() !== "") return cached.trim();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(temporary, `${made}\n`, { mode: 0o600, flag: "wx" });
    // A link appears whole or not at all, and only the first process succeeds.
    await link(temporary, file).catch(() => {});
    return (await readFile(file, "utf8")).trim();
  } catch {
    // Without a disk, hashes can be compared within this process only.
    return made;
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
}
