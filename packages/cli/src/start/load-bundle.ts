import { existsSync, mkdirSync, statSync } from "node:fs";
import nodeModule, { createRequire } from "node:module";
import path from "node:path";
import { homeFolder } from "#util";
import { runCachedScript } from "./cached-script.ts";

/** Node's own compile cache, which Node 20 does not have. */
interface CompileCache {
  enableCompileCache?(folder: string): unknown;
  flushCompileCache?(): void;
}

/**
 * By then a client has its first answers, and what they need is compiled; also for a process that is killed. Later, V8 would have
 * dropped code that only the start needs.
 */
const SAVE_AFTER_MS = 1_000;

/**
 * Runs a bundle, with the code that V8 compiled in an earlier run if there is any, and returns what it exports. `flags` are
 * for the V8 of Node 20.
 */
export function loadBundle(file: string, use: string, flags?: string): unknown {
  const folder = codeCacheFolder();
  const { enableCompileCache, flushCompileCache }: CompileCache = nodeModule as object;
  if (folder !== undefined && enableCompileCache === undefined) {
    const { exports, save } = runCachedScript(file, folder, use, flags);
    if (save !== undefined) setTimeout(save, SAVE_AFTER_MS).unref();
    return exports;
  }
  if (folder !== undefined) {
    enableCompileCache?.(folder);
    if (flushCompileCache !== undefined) setTimeout(flushCompileCache, SAVE_AFTER_MS).unref();
  }
  return createRequire(file)(file) as unknown;
}

/** Undefined when no code is to be cached: switched off, changed by flags of Node, or nowhere to store it safely. */
function codeCacheFolder(): string | undefined {
  const { NODE_DISABLE_COMPILE_CACHE: off = "", NODE_OPTIONS: options = "" } = process.env;
  if (off !== "" || options !== "" || process.execArgv.length > 0) return undefined;
  const folder = chosenFolder();
  if (folder === undefined) return undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(folder);
    // Code that another user could have written is never run.
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
      ? folder
      : undefined;
  } catch {
    return undefined;
  }
}

function chosenFolder(): string | undefined {
  const { NODE_COMPILE_CACHE: chosen = "" } = process.env;
  // A folder of its own there, since other programs may cache their code beside it.
  if (chosen !== "") return path.resolve(chosen, "skills-mcp");
  const home = homeFolder();
  // Service accounts often have a home folder that does not exist and should not be created.
  return existsSync(home) ? path.join(home, ".skills-mcp", "cache", "code") : undefined;
}
