import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { CodeCache } from "./code-cache.ts";

type Require = (name: string) => unknown;
/** A chunk of the bundle, as the build wraps it. */
type Define = (exports: object, require: Require, module: { exports: object }, url: string) => void;
type Pack = Readonly<Record<string, Define>>;

/** In the order in which a client waits for them: a few files are read instead of forty. */
const PACKS = ["front.js", "server.js", "rest.js"] as const;

/** Returns a function that loads a chunk of the bundle, from the first pack that has it. */
export function createPackLoader(folder: string, cache: Pick<CodeCache, "run">): Require {
  const packs = new Map<string, Pack>();
  const modules = new Map<string, { exports: object }>();
  const requireNode = createRequire(path.join(folder, "chunk.js"));

  function defined(chunk: string): { define: Define; file: string } {
    for (const name of PACKS) {
      const file = path.join(folder, name);
      const pack = packs.get(name) ?? (cache.run(file) as Pack);
      packs.set(name, pack);
      const define = pack[chunk];
      if (define !== undefined) return { define, file };
    }
    throw new Error(`This installation is damaged: '${chunk}' is missing in ${folder}. Install it again.`);
  }

  function load(chunk: string): object {
    const known = modules.get(chunk);
    if (known !== undefined) return known.exports;
    const { define, file } = defined(chunk);
    const module = { exports: {} };
    modules.set(chunk, module);
    define(
      module.exports,
      (name) => (name.startsWith(".") ? load(path.basename(name)) : requireNode(name)),
      module,
      pathToFileURL(file).href,
    );
    return module.exports;
  }

  return load;
}
