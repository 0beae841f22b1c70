// Builds the dashboard into dist/web: one page, its script and style under names with a content hash, each compressed in
// advance.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { directImportsPlugin } from "./direct-imports.mjs";

/** The most bytes to download for the dashboard, and for its first view. */
const LARGEST_TRANSFER = 190_000;
const LARGEST_FIRST_VIEW = 60_000;

const MAIN = "packages/web/src/main.tsx";
const STYLE = "packages/web/src/styles/all.css";
const FIRST_VIEW = "packages/web/src/overview/overview-view.tsx";

/** Returns the files that were bundled. */
export async function buildWeb(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: process.cwd(),
    entryPoints: { main: MAIN, style: STYLE },
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
    plugins: [directImportsPlugin(process.cwd())],
    logLevel: "warning",
  });
  const outputs = Object.entries(metafile.outputs);
  const fileOf = (entryPoint) => outputs.find(([, output]) => output.entryPoint === entryPoint)?.[0];
  const nameOf = (entryPoint) => path.basename(fileOf(entryPoint));
  const first = new Set([fileOf(MAIN), fileOf(FIRST_VIEW)].flatMap((file) => withImports(metafile, file)));
  const preloads = [...first]
    .filter((file) => file !== fileOf(MAIN))
    .map((file) => `<link rel="modulepreload" href="${path.basename(file)}">`);
  const icon = readFileSync("packages/web/icon.svg");
  const iconName = `icon-${createHash("sha256").update(icon).digest("hex").slice(0, 8)}.svg`;
  writeFileSync(path.join(folder, iconName), icon);
  const page = readFileSync("packages/web/index.html", "utf8")
    .replace("{icon}", iconName)
    .replace("{style}", nameOf(STYLE))
    .replace("{script}", nameOf(MAIN))
    .replace("{preloads}", preloads.join("\n    "));
  writeFileSync(path.join(folder, "index.html"), page);

  const firstNames = new Set([
    "index.html",
    iconName,
    nameOf(STYLE),
    ...[...first].map((file) => path.basename(file)),
  ]);
  let total = 0;
  let firstView = 0;
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
    if (firstNames.has(name)) firstView += gzip.length;
  }
  console.log(
    `The dashboard has ${total} of at most ${LARGEST_TRANSFER} bytes with gzip, its first view ${firstView} of at most ${LARGEST_FIRST_VIEW}.`,
  );
  if (total > LARGEST_TRANSFER || firstView > LARGEST_FIRST_VIEW)
    throw new Error("The dashboard exceeds its size limit.");
  return Object.keys(metafile.inputs);
}

/** A file of the build, and the files that it imports before it runs. */
function withImports(metafile, file) {
  const found = new Set();
  const pending = [file];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    for (const { path: imported, kind } of metafile.outputs[next].imports)
      if (kind === "import-statement") pending.push(imported);
  }
  return [...found];
}
