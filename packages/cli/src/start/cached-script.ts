import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire, wrap } from "node:module";
import path from "node:path";
import { Script } from "node:vm";

/** Set by the build: differs for any other code. V8 itself compares nothing but the length of the source. */
declare const BUILD_ID: string;

/** Code of versions that are no longer installed is removed after this time. */
const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
const CHECKSUM_BYTES = 4;
/** Stands for the code in what wraps it. */
const PLACE = "CODE";

interface RunScript {
  readonly exports: unknown;
  /** Saves V8's data, which also happens at exit; undefined when the data was there. */
  readonly save: (() => void) | undefined;
}

/**
 * For Node 20, which has no compile cache: runs a CommonJS file with V8's cached data from `folder`. Each use has flags of
 * its own, and so its own data.
 */
export function runCachedScript(file: string, folder: string, use: string, flags?: string): RunScript {
  const name = `${path.basename(file, ".js")}-${use}-${BUILD_ID}-${process.versions.v8}-${process.arch}.bin`;
  const cacheFile = path.join(folder, name);
  const cachedData = readCacheFile(cacheFile);
  // Not before: V8 would reject the code that Node itself has cached of the modules that are loaded until here.
  if (flags !== undefined) process.getBuiltinModule("node:v8").setFlagsFromString(flags);
  // The build writes ASCII, which is faster to read and half the size in memory. It is wrapped as bytes: what Node decodes as one
  // long text stays outside of V8's heap, while joined texts are copied into it.
  const [before = "", after = ""] = wrap(PLACE).split(PLACE);
  const bytes = Buffer.concat([Buffer.from(before), readFileSync(file), Buffer.from(after)]);
  const source = bytes.toString("latin1");
  const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
  const isCached = cachedData !== undefined && script.cachedDataRejected !== true;

  let isSaved = isCached;
  const save = (): void => {
    if (isSaved) return;
    isSaved = true;
    writeCacheFile(cacheFile, script.createCachedData());
  };
  if (!isCached) process.once("exit", save);
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, path.dirname(file));
  return { exports: module.exports, save: isCached ? undefined : save };
}

/** Undefined when there is none or it is damaged: V8 does not check, and may crash. */
function readCacheFile(file: string): Buffer | undefined {
  // Asked first, because an error that is thrown takes longer than everything else here.
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  try {
    const bytes = readFileSync(file);
    const code = bytes.subarray(CHECKSUM_BYTES);
    return checksum(code) === bytes.readUInt32LE() ? code : undefined;
  } catch {
    return undefined;
  }
}

function writeCacheFile(file: string, code: Buffer): void {
  const draft = `${file}.${process.pid}`;
  const head = Buffer.alloc(CHECKSUM_BYTES);
  head.writeUInt32LE(checksum(code));
  try {
    writeFileSync(draft, Buffer.concat([head, code]), { mode: 0o600 });
    renameSync(draft, file);
    removeOld(path.dirname(file));
  } catch {
    // A full disk or a read-only folder: the next start compiles again.
    rmSync(draft, { force: true });
  }
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (Date.now() - statSync(file).mtimeMs > LIFETIME_MS) rmSync(file, { force: true, recursive: true });
  }
}

function checksum(bytes: Buffer): number {
  // Loaded here: newer versions of Node never need it.
  const { crc32 } = process.getBuiltinModule("node:zlib");
  return crc32(bytes);
}
