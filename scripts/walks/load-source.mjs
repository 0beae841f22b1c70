// `node --import scripts/walks/load-source.mjs packages/…/x.ts`: runs sources as the build sees them, each name imported from
// the file that declares it. A part's index.ts would load the whole part, and a file counts as executed by what loading runs.
import { readFileSync } from "node:fs";
import { register } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import { transform } from "esbuild";
import { directImports } from "../direct-imports.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..");

if (isMainThread) register(import.meta.url);

/** Module hook, in a thread of its own: compiles the sources of packages/, and leaves every other module to Node. */
export async function load(url, context, next) {
  const file = url.startsWith("file:")
    ? path.relative(root, fileURLToPath(url)).split(path.sep).join("/")
    : "";
  if (!/^packages\/[^/]+\/src\/.*\.ts$/.test(file)) return next(url, context);
  const text = directImports(readFileSync(path.join(root, file), "utf8"), file);
  const { code } = await transform(text, { loader: "ts", format: "esm", target: "node20" });
  return { format: "module", source: code, shortCircuit: true };
}
