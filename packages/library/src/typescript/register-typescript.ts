// For `node --import`: runs TypeScript on a Node that has no type stripping of its own. Built as dist/typescript.mjs.
import { readFile } from "node:fs/promises";
import { type LoadHook, type ResolveHook, register } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import { stripTypes } from "./strip-types.ts";

// Node runs the hooks in a thread of their own, which loads this file again.
if (isMainThread) register(import.meta.url);

const TYPESCRIPT = /\.[cm]?ts$/;

/** TypeScript imports `./lib.ts` also as `./lib.js` and as `./lib`. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (!/^\.{1,2}\//.test(specifier) || !TYPESCRIPT.test(context.parentURL ?? "")) throw error;
    const other = /\.[cm]?js$/.test(specifier) ? specifier.replace(/js$/, "ts") : `${specifier}.ts`;
    try {
      return await next(other, context);
    } catch {
      throw error;
    }
  }
};

export const load: LoadHook = async (url, context, next) => {
  if (!url.startsWith("file:") || !TYPESCRIPT.test(new URL(url).pathname)) return next(url, context);
  const file = fileURLToPath(url);
  const { code, format } = stripTypes(await readFile(file, "utf8"), file);
  return { format, source: code, shortCircuit: true };
};
