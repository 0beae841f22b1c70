import { readFileSync, rmSync, statSync } from "node:fs";
import { mkdir, readdir, realpath, rm, rmdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { describeError, errorCode, lstat, makeOwnFolder, withOpenFile, writeFileAtomic } from "#util";
import { Refusal } from "#util/pure";

/** Far above any configuration. Claude Code keeps the history of every project in its file. */
const LARGEST_FILE = 64 * 1024 * 1024;
const MOST_BACKUPS = 10;

export interface ConfigFile {
  /** Where it really is: a link stays, and its target is written. */
  readonly target: string;
  /** Undefined if there is no file. */
  readonly text: string | undefined;
  readonly mode: number;
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
}

/** Reads a configuration that is to be changed; refuses whatever is no regular, writable text file. */
export async function readConfigFile(file: string): Promise<ConfigFile> {
  const target = await targetOf(file);
  if (target === undefined) {
    return { target: await targetOfNew(file), text: undefined, mode: 0o600, owner: undefined };
  }
  const kind = await stat(target);
  if (!kind.isFile())
    throw cannotConnect(`It is a ${kind.isDirectory() ? "folder" : "special file"}, not a file`);
  return withOpenFile(target, async ({ stats, readStart }) => {
    if (!stats.isFile()) throw cannotConnect("It is not a regular file");
    if ((stats.mode & 0o222) === 0) throw cannotConnect("It is read-only: make it writable first");
    if (stats.size > LARGEST_FILE) throw cannotConnect("It is larger than 64 MiB: change it by hand");
    const bytes = await readStart(stats.size + 1);
    const { uid, gid } = stats;
    return { target, text: decode(bytes), mode: stats.mode & 0o7777, owner: { uid, gid } };
  });
}

async function targetOf(file: string): Promise<string | undefined> {
  try {
    return await realpath(file);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    const link = await lstat(file).catch(() => undefined);
    if (link === undefined) return undefined;
    throw cannotConnect("It is a link to a file that does not exist: create that file or remove the link");
  }
}

/** Where a file that does not exist yet really is: the first folder above it that exists may be a link. */
async function targetOfNew(file: string): Promise<string> {
  const [first] = await missingFolders(file);
  const folder = path.dirname(first ?? file);
  return path.join(await realpath(folder), path.relative(folder, file));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new Refusal(
      "It is not UTF-8 text: convert it first.",
      { code: "cannot-connect" },
      { cause: error },
    );
  }
}

function cannotConnect(message: string): Refusal {
  return new Refusal(`${message}.`, { code: "cannot-connect" });
}

/** Replaces a configuration whole, with the same mode and owner, unless its agent wrote it meanwhile. */
export async function writeConfigFile(config: ConfigFile, text: string): Promise<void> {
  const { target, mode, owner } = config;
  await mkdir(path.dirname(target), { recursive: true });
  const check = (): void => refuseChanged(config);
  await writeFileAtomic(target, text, { mode, flush: true, check, ...(owner && { owner }) });
}

/** The file is not as it was read any more. */
export class ChangedMeanwhile extends Refusal {
  constructor() {
    super("It was changed in the meantime: run the command again.", { code: "cannot-connect" });
  }
}

/**
 * An agent writes its own file whenever it likes. Reading takes longer than looking at the file once more, so that comes last:
 * some microseconds stay, because no system call of Node compares and replaces at once.
 */
function refuseChanged({ target, text }: ConfigFile): void {
  const before = stateOf(target);
  if (readNow(target) !== text || stateOf(target) !== before) throw new ChangedMeanwhile();
}

function stateOf(target: string): string {
  const stats = statSync(target, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}

function readNow(target: string): string | undefined {
  try {
    return decode(readFileSync(target));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The folders above a file that do not exist yet, outermost first. */
export async function missingFolders(file: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const found = await stat(folder).catch(() => undefined);
    if (found !== undefined || folder === path.dirname(folder)) return missing;
    missing.unshift(folder);
  }
}

/** Removes a file that we made, and the folders that we made for it, if they are empty. */
export async function removeConfigFile(config: ConfigFile, folders: readonly string[]): Promise<void> {
  refuseChanged(config);
  rmSync(config.target);
  for (const folder of folders.toReversed()) {
    const removed = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}

/** Keeps the old text, readable by its owner alone, and the last few before it. */
export async function backUp(folder: string, agent: string, file: string, text: string): Promise<string> {
  await makeOwnFolder(folder);
  const time = new Date().toISOString().replaceAll(/[-:]/g, "").replace(".", "-");
  const backup = path.join(folder, `${agent}--${time}--${path.basename(file)}`);
  await writeFile(backup, text, { mode: 0o600, flag: "w" });
  const names = await readdir(folder);
  // The new one stays, also if a clock that was set back makes it look like the oldest.
  const isOlder = (name: string): boolean => name.startsWith(`${agent}--`) && name !== path.basename(backup);
  const older = names.filter(isOlder).sort();
  for (const name of older.slice(0, 1 - MOST_BACKUPS)) await rm(path.join(folder, name), { force: true });
  return backup;
}

/** Why a file could not be changed, as one sentence. A bug is thrown again. */
export function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (errorCode(error) === "") throw error;
  const reason = describeError(error);
  // Of all files that a change touches, any may lie on a disk that is read-only.
  if (errorCode(error) === "EROFS" && error instanceof Error && "path" in error)
    return `${path.dirname(String(error.path))} cannot be written: ${reason}.`;
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
