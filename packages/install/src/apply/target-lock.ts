import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { lockHolder, makeOwnFolder, parseProcessKey, processState, takeLock } from "#util";
import { shortHash } from "#util/pure";
import { cannotInstall } from "../lock/lock-text.ts";
import { type Repair, repair } from "./apply-changes.ts";
import { readJournal } from "./journal.ts";

/** The right to change a folder of skills and its lock file. */
export interface HeldTarget {
  /** About the command before this one, if it was interrupted. */
  readonly repair: Repair;
  release(): Promise<void>;
}

const WAIT_MS = 10_000;

/** Where the journal of a folder of skills is. */
export function journalFolderOf(skillsDir: string, ownFolder: string): string {
  return path.join(ownFolder, "targets", shortHash(skillsDir));
}

/** Takes the lock of a folder of skills, waiting briefly for another command, and repairs what one left behind. */
export async function holdTarget(
  skillsDir: string,
  journalFolder: string,
  waitMs = WAIT_MS,
): Promise<HeldTarget> {
  await makeOwnFolder(journalFolder);
  const until = Date.now() + waitMs;
  const lock = await takeLock(journalFolder, Date.now, () => Date.now() > until);
  if (lock === undefined) {
    const pid = await lockHolder(journalFolder);
    const other = pid === undefined ? "" : ` (process ${pid})`;
    const message = `${skillsDir} is being changed by another skills-mcp${other}. Try again when it has ended.`;
    throw cannotInstall(message, skillsDir);
  }
  // The folder stays: another command may be about to take its lock there.
  const { release } = lock;
  try {
    const done = await repair(journalFolder);
    await removeAbandoned(journalFolder);
    return { repair: done, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Whether a command was interrupted here, or is running. */
export async function needsRepair(journalFolder: string): Promise<boolean> {
  return (await readJournal(journalFolder)) !== undefined;
}

/** A process that was killed while it waited for the lock, or wrote the journal, leaves a temporary file. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const waiting = /^lock-(.*)\.tmp$/.exec(name)?.[1];
    const key = waiting === undefined ? undefined : parseProcessKey(waiting);
    const isLeft = key === undefined ? /^journal\.json\..*\.tmp$/.test(name) : processState(key) === "dead";
    if (isLeft) await rm(path.join(folder, name), { recursive: true, force: true });
  }
}
