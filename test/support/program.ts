import path from "node:path";
import { build } from "esbuild";
import { directImportsPlugin } from "../../scripts/direct-imports.mjs";
import type { Sandbox } from "./sandbox.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

/**
 * A file that Node runs, of a program whose imports are relative to the repository. Run from source it would load a compiler
 * first, which takes longer than what is tested.
 */
export async function bundleProgram(sandbox: Sandbox, source: string): Promise<string> {
  const outfile = sandbox.path("program.mjs");
  await build({
    stdin: { contents: source, resolveDir: ROOT, loader: "ts" },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    plugins: [directImportsPlugin(ROOT)],
    target: "node20",
  });
  return outfile;
}
