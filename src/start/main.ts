import { existsSync, writeSync } from "node:fs";
import path from "node:path";
import { homeFolder } from "../system/home-folder.ts";
import { VERSION } from "../version.ts";
import { cacheNameOf } from "./cache-name.ts";
import { createCodeCache } from "./code-cache.ts";
import { createPackLoader } from "./load-packs.ts";

/**
 * What Node runs first, as dist/cli.js. It is CommonJS and small, because most of what a command takes to start is
 * loading code: it asks V8 for code that was compiled before, and loads nothing that the command does not need.
 */
const [first] = process.argv.slice(2);
if (first === "--version" || first === "-v") printVersion();
else {
  const cache = createCodeCache({
    builtFolder: path.join(__dirname, "code-cache"),
    ownFolder: ownFolder(),
    name: cacheNameOf(process.argv.slice(2)),
  });
  createPackLoader(path.join(__dirname, "packs"), cache)("main.js");
}

/** Straight to the file: setting up `process.stdout` takes longer than everything else this does. */
function printVersion(): void {
  try {
    writeSync(1, `${VERSION}\n`);
  } catch {
    process.exitCode = 1;
  }
}

/** Undefined when nothing is to be kept: Node's own switch for it, flags that change what V8 makes, or no home folder. */
function ownFolder(): string | undefined {
  const { NODE_DISABLE_COMPILE_CACHE: off = "", NODE_OPTIONS: options = "" } = process.env;
  if (off !== "" || options !== "" || process.execArgv.length > 0) return undefined;
  const home = homeFolder();
  // Accounts of services have a home folder that is not there, and is not to be made.
  return existsSync(home) ? path.join(home, ".skills-mcp", "cache", "code") : undefined;
}
