import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/** A random secret of this user, created by whichever process needs it first. Without a disk it lasts as long as the process. */
export async function ownSecret(file: string, bytes: number): Promise<string> {
  const made = randomBytes(bytes).toString("hex");
  const temporary = `${file}.${made.slice(0, 16)}.tmp`;
  try {
    const stored = await readOwnSecret(file);
    if (stored !== undefined) return stored;
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(temporary, `${made}\n`, { mode: 0o600, flag: "wx" });
    // A link appears whole or not at all, and only the first process succeeds.
    await link(temporary, file).catch(() => {});
    return (await readOwnSecret(file)) ?? made;
  } catch {
    return made;
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

/** Reads the secret; undefined when the file is missing, or its content was cut off. */
export async function readOwnSecret(file: string): Promise<string | undefined> {
  const text = (await readFile(file, "utf8").catch(() => "")).trim();
  return /^[0-9a-f]{32,}$/.test(text) ? text : undefined;
}
