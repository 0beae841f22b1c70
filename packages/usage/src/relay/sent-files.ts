import { readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { processState } from "#util";
import { newPartFile, newSentFile, parseSentFile, type SentFile } from "../deliver/part-file.ts";
import type { Receipt, SharedLog } from "./shared-log.ts";

/** Owners of unknown state, as in another container, count as dead after this time without a sign of life. */
const ABANDONED_MS = 10 * 60_000;
const SIGN_OF_LIFE_MS = 60_000;

/**
 * Files whose events are in the shared log and not yet at the endpoint. They stay until they are: Redis may lose its memory. The
 * name of each says where in the log its events are, so that whoever adopts the file of a dead process knows it too.
 */
export function createSentFiles(folder: string, log: SharedLog, now: () => number) {
  let files: SentFile[] = [];
  let lastSign = Number.NEGATIVE_INFINITY;

  /** Adopts what dead processes left, and shows others that this one is alive. */
  async function lookAround(): Promise<void> {
    if (now() - lastSign < SIGN_OF_LIFE_MS) return;
    lastSign = now();
    const time = new Date(now());
    await Promise.all(files.map(({ file }) => utimes(file, time, time).catch(() => {})));
    const own = new Set(files.map(({ file }) => path.basename(file)));
    files.push(...(await adoptAbandoned(folder, own, now())));
  }

  /** As a file to send again; nothing when somebody took it. */
  async function takeBack({ file }: SentFile): Promise<readonly string[]> {
    const part = newPartFile(folder);
    return rename(file, part).then(
      () => [part],
      () => [],
    );
  }

  return {
    size: (): number => files.length,
    /** Everything in these files is in the log now, up to its receipt. */
    async add(sent: readonly string[], { epoch, last }: Receipt): Promise<void> {
      for (const file of sent) {
        const target = newSentFile(folder, { epoch, last });
        // Without a rename it stays a file of this process, and is sent again.
        await rename(file, target).then(
          () => void files.push({ file: target, epoch, last }),
          () => {},
        );
      }
    },
    /** Removes what was delivered, and returns the files that the log lost: they are to be sent again. */
    async check(): Promise<readonly string[]> {
      await lookAround();
      if (files.length === 0) return [];
      const checked = [...files];
      const { epoch, first } = await log.status();
      const lost: string[] = [];
      const left: SentFile[] = [];
      for (const sent of checked) {
        if (sent.epoch !== epoch) lost.push(...(await takeBack(sent)));
        else if (first === "" || isBefore(sent.last, first))
          await rm(sent.file, { force: true }).catch(() => {});
        else left.push(sent);
      }
      files = [...left, ...files.filter((file) => !checked.includes(file))];
      return lost;
    },
  };
}

/** Takes the files of dead processes; each one goes to whoever renames it first. */
async function adoptAbandoned(
  folder: string,
  own: ReadonlySet<string>,
  now: number,
): Promise<readonly SentFile[]> {
  const adopted: SentFile[] = [];
  for (const name of await readdir(folder).catch((): string[] => [])) {
    const found = own.has(name) ? undefined : parseSentFile(path.join(folder, name));
    if (found === undefined || !(await isAbandoned(found.file, processState(found.owner), now))) continue;
    const { epoch, last } = found;
    const file = newSentFile(folder, { epoch, last });
    await rename(found.file, file).then(
      () => void adopted.push({ file, epoch, last }),
      () => {},
    );
  }
  return adopted;
}

async function isAbandoned(
  file: string,
  state: ReturnType<typeof processState>,
  now: number,
): Promise<boolean> {
  if (state !== "unknown") return state === "dead";
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && now - found.mtimeMs > ABANDONED_MS;
}

/** Ids of a stream are `<milliseconds>-<number>`. */
function isBefore(a: string, b: string): boolean {
  const [time = 0n, sequence = 0n] = a.split("-").map(BigInt);
  const [otherTime = 0n, otherSequence = 0n] = b.split("-").map(BigInt);
  return time < otherTime || (time === otherTime && sequence < otherSequence);
}
