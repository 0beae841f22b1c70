import type { Plugin } from "esbuild";

/** The text of a source file, named from the root of the repository with `/`, without imports of whole parts. */
export function directImports(text: string, file: string): string;

/** For esbuild. `root` is the folder of the repository. */
export function directImportsPlugin(root: string): Plugin;
