// Builds the dashboard into dist/web: one page, its script and style under names with a content hash, each compressed in
// advance.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";

/** The most bytes to download for the dashboard. */
const LARGEST_TRANSFER = 150_000;

/** Returns the files that were bundled. */
export async function buildWeb(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: process.cwd(),
    entryPoints: { main: "web/src/main.tsx", style: "web/src/styles/all.css" },
    outdir: folder,
    bundle: true,
    splitting: true,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    format: "esm",
    platform: "browser",
    target: ["es2022", "chrome110", "firefox115", "safari16.4"],
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  const outputs = Object.entries(metafile.outputs);
  const nameOf = (entryPoint) => {
    const [file] = outputs.find(([, output]) => output.entryPoint === entryPoint) ?? [];
    return path.basename(file);
  };
  const icon = readFileSync("web/icon.svg");
  const iconName = `icon-${createHash("sha256").update(icon).digest("hex").slice(0, 8)}.svg`;
  writeFileSync(path.join(folder, iconName), icon);
  const page = readFileSync("web/index.html", "utf8")
    .replace("{icon}", iconName)
    .replace("{style}", nameOf("web/src/styles/all.css"))
    .replace("{script}", nameOf("web/src/main.tsx"));
  writeFileSync(path.join(folder, "index.html"), page);

  let total = 0;
  for (const name of readdirSync(folder).sort()) {
    const content = readFileSync(path.join(folder, name));
    const gzip = gzipSync(content, { level: 9 });
    const quality = {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    };
    writeFileSync(path.join(folder, `${name}.gz`), gzip);
    writeFileSync(path.join(folder, `${name}.br`), brotliCompressSync(content, { params: quality }));
    total += gzip.length;
    console.log(
      `  ${name.padEnd(36)} ${String(content.length).padStart(8)}  gzip ${String(gzip.length).padStart(7)}`,
    );
  }
  console.log(`  dashboard: ${total} of at most ${LARGEST_TRANSFER} bytes with gzip`);
  if (total > LARGEST_TRANSFER) throw new Error("The dashboard exceeds its size limit.");
  return Object.keys(metafile.inputs);
}
