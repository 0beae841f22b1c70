import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build, transform } from "esbuild";

/**
 * Bundles into chunks that are loaded on demand, and puts them into a few files: for each of `packs` the chunks that its
 * modules need at once, and `rest`. Each file is an object of functions, one for each chunk, because V8 keeps compiled
 * code for scripts but, in Node 20, not for modules.
 */
export async function packChunks({ packs, outdir, ...options }) {
  const { metafile, outputFiles } = await build({
    ...options,
    outdir,
    chunkNames: "[name]-[hash]",
    splitting: true,
    format: "esm",
    define: { "import.meta.url": "place.href" },
    write: false,
  });
  const texts = new Map(outputFiles.map((file) => [path.relative(process.cwd(), file.path), file.text]));
  const left = new Set(texts.keys());
  const chunksOf = {};
  for (const [pack, modules] of Object.entries(packs)) {
    const entries = modules.map((module) => chunkOf(module, metafile.outputs));
    chunksOf[pack] = closureOf(entries, metafile.outputs).filter((chunk) => left.delete(chunk));
  }
  chunksOf.rest = [...left];

  mkdirSync(outdir, { recursive: true });
  const hash = createHash("sha256");
  for (const [name, chunks] of Object.entries(chunksOf)) {
    const text = await packOf(
      chunks.sort((a, b) => (a < b ? -1 : 1)).map((chunk) => [path.basename(chunk), texts.get(chunk)]),
    );
    hash.update(text);
    writeFileSync(path.join(outdir, `${name}.js`), text);
  }
  return { id: hash.digest("hex").slice(0, 16), metafile };
}

function chunkOf(module, outputs) {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === module);
  if (found === undefined) throw new Error(`${module} is not a chunk of its own.`);
  return found[0];
}

/** These chunks, and whatever they import before they run. */
function closureOf(names, outputs) {
  const found = new Set();
  const add = (name) => {
    if (found.has(name)) return;
    found.add(name);
    for (const { path: wanted, kind, external } of outputs[name].imports)
      if (kind === "import-statement" && external !== true) add(wanted);
  };
  for (const name of names) add(name);
  return [...found];
}

async function packOf(chunks) {
  const defined = [];
  for (const [name, text] of chunks) {
    const { code } = await transform(text, {
      format: "cjs",
      platform: "node",
      target: "node20",
      // Everything is loaded by the pack's own `require`.
      supported: { "dynamic-import": false },
    });
    // esbuild would copy every export of Node's modules to add a default one, in each chunk.
    const lean = code.replace(/__toESM\((require\("node:[a-z/_]+"\))(?:, 1)?\)/g, "withDefault($1)");
    const { code: small } = await transform(lean, { minify: true, platform: "node", target: "node20" });
    defined.push(`${JSON.stringify(name)}:function(exports,require,module,place,withDefault){${small}}`);
  }
  const text = `({${defined.join(",\n")}})\n`;
  // Read as ASCII. Only regular expressions still have anything else, and there an escape means the same.
  return text.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
