import { readFile, stat } from "node:fs/promises";
import { describeError } from "#util";
import { badUsage } from "../flags.ts";

const VARIABLE = "SKILLS_WEBHOOK_SECRET";
const FILE_VARIABLE = "SKILLS_WEBHOOK_SECRET_FILE";
/** A shorter secret is refused, because it can be guessed. */
const FEWEST_CHARACTERS = 16;
const LARGEST_FILE = 4096;

/** The secret that is shared with a git server; undefined when there is none. Never taken from content. */
export async function webhookSecret(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const named = environment[VARIABLE]?.trim() || undefined;
  const file = environment[FILE_VARIABLE]?.trim() || undefined;
  if (named !== undefined && file !== undefined)
    throw badUsage(VARIABLE, `${VARIABLE} and ${FILE_VARIABLE} are both set; unset one of them.`);
  const variable = file === undefined ? VARIABLE : FILE_VARIABLE;
  const secret = file === undefined ? named : await readSecret(file);
  if (secret === undefined || secret.length >= FEWEST_CHARACTERS) return secret;
  throw badUsage(
    variable,
    `${variable} has ${secret.length} characters, but needs at least ${FEWEST_CHARACTERS}, such as those of: openssl rand -hex 32.`,
  );
}

async function readSecret(file: string): Promise<string> {
  try {
    const stats = await stat(file);
    if (!stats.isFile() || stats.size > LARGEST_FILE) throw new Error("it is no small file");
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    throw badUsage(
      FILE_VARIABLE,
      `${FILE_VARIABLE} names ${file}, which cannot be read: ${describeError(error)}.`,
    );
  }
}
