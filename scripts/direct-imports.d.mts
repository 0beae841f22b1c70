import type { Plugin } from "esbuild";

/** For esbuild. `root` is the folder of the repository. */
export function directImportsPlugin(root: string): Plugin;
