// Builds dist/: the command line (cli.js, packs/), the library (lib/), the dashboard (web/), the notices of what is
// bundled, and the code that V8 makes of the command line (code-cache/), so that it starts quickly from a checkout.
import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildWeb } from "./build-web.mjs";
import { compileAhead } from "./compile-ahead.mjs";
import { packChunks } from "./pack-chunks.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);
rmSync("dist", { recursive: true, force: true });

// Bundled and minified, because loading hundreds of small modules is most of a server's start-up time.
const bundle = {
  // esbuild remembers the folder that it was loaded in.
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20",
  minify: true,
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
};

/** Gives the SDK and the tools a zod whose schemas are made when they are used. */
const lazySchemas = {
  name: "lazy-schemas",
  setup({ onResolve }) {
    const standIn = path.join(root, "src", "mcp", "server", "lazy-zod.ts");
    const mayWait = [path.join("node_modules", "@modelcontextprotocol"), path.join("src", "mcp")];
    onResolve({ filter: /^zod(?:\/v4)?$/ }, ({ importer }) =>
      importer !== standIn && mayWait.some((folder) => importer.startsWith(path.join(root, folder)))
        ? { path: standIn }
        : undefined,
    );
  },
};

const packed = await packChunks({
  ...bundle,
  entryPoints: { main: "src/cli/main.ts" },
  alias: { "@modelcontextprotocol/server/_shims": path.join(root, "src", "mcp", "server", "sdk-shims.ts") },
  plugins: [lazySchemas],
  packs: {
    front: ["src/cli/main.ts", "src/cli/commands/mcp.ts", "src/cli/commands/mcp-server.ts"],
    app: ["src/cli/commands/list.ts", "src/cli/open-app.ts"],
    server: ["src/cli/stdio/serve-stdio.ts"],
  },
  outdir: "dist/packs",
});
const start = await build({
  ...bundle,
  entryPoints: { cli: "src/start/main.ts" },
  outdir: "dist",
  format: "cjs",
  banner: { js: "#!/usr/bin/env node" },
  define: { BUILD_ID: JSON.stringify(packed.id) },
});
const library = await build({
  ...bundle,
  entryPoints: { index: "src/index.ts" },
  outdir: "dist/lib",
  splitting: true,
  format: "esm",
});
writeFileSync("dist/package.json", '{ "type": "commonjs" }\n');
writeFileSync("dist/lib/package.json", '{ "type": "module" }\n');
chmodSync("dist/cli.js", 0o755);

const webInputs = await buildWeb("dist/web");
const inputs = [packed, start, library].flatMap(({ metafile }) => Object.keys(metafile.inputs));
writeFileSync("dist/THIRD-PARTY-NOTICES.txt", notices([...inputs, ...webInputs]));

const tsc = path.join("node_modules", "typescript", "bin", "tsc");
execFileSync(process.execPath, [tsc, "-p", "tsconfig.types.json"], { stdio: "inherit" });
await compileAhead("dist/cli.js", "dist/code-cache");

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
