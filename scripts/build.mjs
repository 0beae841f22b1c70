// Builds dist/: one bundle for the command line and the library, the dashboard, the types, and the notices of what is
// bundled.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildWeb } from "./build-web.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);
rmSync("dist", { recursive: true, force: true });

// Bundled and minified, because loading hundreds of small modules is most of a server's start-up time.
const { metafile } = await build({
  entryPoints: { cli: "src/cli/main.ts", index: "src/index.ts" },
  outdir: "dist",
  bundle: true,
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  format: "esm",
  platform: "node",
  target: "node20",
  minify: true,
  keepNames: false,
  legalComments: "none",
  metafile: true,
  alias: { "@modelcontextprotocol/server/_shims": path.join(root, "src", "mcp", "sdk-shims.ts") },
  logLevel: "warning",
});

// CommonJS packages ask for Node's own modules with `require`, which an ES module has to make itself.
for (const output of Object.keys(metafile.outputs)) {
  const text = readFileSync(output, "utf8");
  if (!text.includes("Dynamic require of")) continue;
  const shim = `import{createRequire as nodeRequire}from"node:module";const require=nodeRequire(import.meta.url);`;
  writeFileSync(output, `${shim}\n${text}`);
}

const cli = "dist/cli.js";
writeFileSync(cli, `#!/usr/bin/env node\n${readFileSync(cli, "utf8")}`, { mode: 0o755 });
const webInputs = await buildWeb("dist/web");
writeFileSync("dist/THIRD-PARTY-NOTICES.txt", notices([...Object.keys(metafile.inputs), ...webInputs]));

const tsc = path.join("node_modules", "typescript", "bin", "tsc");
execFileSync(process.execPath, [tsc, "-p", "tsconfig.types.json"], { stdio: "inherit" });

/** The licence of every package that ended up in the bundle, as their authors ask for. */
function notices(inputs) {
  const folders = new Set();
  for (const input of inputs) {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) folders.add(found[1]);
  }
  return [...folders]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
      const texts = ["LICENSE", "LICENSE.md", "LICENSE.txt", "license"].map((file) =>
        path.join(folder, file),
      );
      const text =
        texts.map(readIfThere).find((content) => content !== undefined) ?? `Licensed under ${license}.\n`;
      return `${name} ${version} (${license})\n\n${text.trim()}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}

function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
