import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { Script } from "node:vm";
import { inTwoCopies, oneOfTwoCopies } from "../registry/cache/two-copies.ts";

/** Set by the build: another one for any other code. */
declare const BUILD_ID: string;

interface CodeCacheOptions {
  /** Code that was compiled by the build, beside the code itself. */
  readonly builtFolder: string;
  /** Where to keep code that was compiled on this machine; undefined: nowhere. */
  readonly ownFolder: string | undefined;
  /** What the code is used for. */
  readonly name: string;
}

/** Runs scripts with the code that V8 made of them before, and keeps that code for the next time. */
export interface CodeCache {
  run(file: string): unknown;
}

/** By then a client has its tools; a command that is quicker saves at its end. */
const QUIET_MS = 5_000;
/** Code of versions that are no longer installed goes after a while. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

export function createCodeCache({ builtFolder, ownFolder, name }: CodeCacheOptions): CodeCache {
  const compiled: { readonly script: Script; readonly cacheFile: string }[] = [];

  function save(): void {
    if (ownFolder === undefined) return;
    try {
      mkdirSync(ownFolder, { recursive: true, mode: 0o700 });
      for (const { script, cacheFile } of compiled.splice(0))
        write(path.join(ownFolder, cacheFile), script.createCachedData());
      removeOld(ownFolder);
    } catch {
      // A full disk or a folder that may not be written: the next start compiles again.
    }
  }

  function saveWhenQuiet(script: Script, cacheFile: string): void {
    if (compiled.length === 0) {
      setTimeout(save, QUIET_MS).unref();
      process.once("exit", save);
    }
    compiled.push({ script, cacheFile });
  }

  return {
    run(file) {
      // V8 refuses code of another version of itself; the name keeps two versions from taking turns in one file.
      const part = path.basename(file, ".js");
      const cacheFile = `${part}-${name}-${BUILD_ID}-${process.versions.v8}-${process.arch}.bin`;
      const cachedData =
        (ownFolder === undefined ? undefined : read(path.join(ownFolder, cacheFile), true)) ??
        read(path.join(builtFolder, cacheFile), false);
      // The build writes ASCII alone, which is quicker to read and half as large in memory.
      const source = readFileSync(file, "latin1");
      const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
      const isUsed = cachedData !== undefined && script.cachedDataRejected !== true;
      if (!isUsed && ownFolder !== undefined) saveWhenQuiet(script, cacheFile);
      return script.runInThisContext();
    },
  };
}

/** V8 may crash on damaged code, so it is given none. */
function read(file: string, ownedByUs: boolean): Buffer | undefined {
  let bytes: Buffer;
  try {
    // Asked first, because an error that is thrown takes longer than everything else here.
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
    const handle = openSync(file, "r");
    try {
      const { uid, mode } = fstatSync(handle);
      // Code that someone else may have written is not run.
      if (ownedByUs && process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0))
        return undefined;
      bytes = readFileSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
  return oneOfTwoCopies(bytes);
}

/** Renamed into place, so that a reader sees all of it or nothing. */
function write(file: string, code: Buffer): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, Buffer.concat(inTwoCopies(code)), { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (Date.now() - statSync(file).mtimeMs > KEPT_MS) rmSync(file, { force: true });
  }
}
