import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { CodeCache } from "./code-cache.ts";

type Require = (name: string) => unknown;
/** A chunk of the bundle, as the build wraps it. */
type Define = (
  exports: object,
  require: Require,
  module: { exports: object },
  place: { readonly href: string },
  withDefault: (module: object) => object,
) => void;
type Pack = Readonly<Record<string, Define>>;

/** In the order in which a client waits for them: a few files are read instead of forty. */
const PACKS = ["front.js", "app.js", "server.js", "rest.js"] as const;

/** Node takes a millisecond or more to load each of these, and most commands never call them. */
const COSTLY: ReadonlySet<string> = new Set([
  "node:child_process",
  "node:crypto",
  "node:fs/promises",
  "node:timers/promises",
  "node:zlib",
]);

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

  const requireFrom: Require = (name) => {
    if (name.startsWith(".")) return load(path.basename(name));
    return COSTLY.has(name) ? whenUsed(() => requireNode(name) as object) : requireNode(name);
  };

  function load(chunk: string): object {
    const known = modules.get(chunk);
    if (known !== undefined) return known.exports;
    const { define, file } = defined(chunk);
    const module = { exports: {} };
    modules.set(chunk, module);
    define(module.exports, requireFrom, module, placeOf(file), withDefault);
    return module.exports;
  }

  return load;
}

/** `import.meta.url`, made for the few who ask. */
function placeOf(file: string): { readonly href: string } {
  return {
    get href() {
      return pathToFileURL(file).href;
    },
  };
}

/** One of Node's modules as an `import` of its default export sees it. */
function withDefault(module: object): object {
  return Object.create(module, { default: { value: module } });
}

/** Stands in for a module until one of its exports is asked for. */
function whenUsed(open: () => object): object {
  let opened: object | undefined;
  const get = (): object => {
    opened ??= open();
    return opened;
  };
  return new Proxy(
    {},
    {
      get: (_target, key) => Reflect.get(get(), key),
      has: (_target, key) => Reflect.has(get(), key),
      ownKeys: () => Reflect.ownKeys(get()),
      getOwnPropertyDescriptor: (_target, key) => {
        const found = Reflect.getOwnPropertyDescriptor(get(), key);
        return found && { ...found, configurable: true };
      },
    },
  );
}
