// Builds dist/: the command line (cli.js, early.js, server.js, commands.js, manage.js, hook.js, picker.js, redis.js, telemetry.js), the completion of shells (completion/), the
// manual page (man/), the library (lib/), the dashboard (web/), the word table of the search (data/), the JSON Schemas of settings (schemas/), and of everything that is
// bundled the licences and an SBOM.
import { createHash } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { agentsWith, listAgents } from "./agents.mjs";
import { buildWeb } from "./build-web.mjs";
import { bundledPackages, notices, sbom } from "./bundled-packages.mjs";
import { directImports, directImportsPlugin } from "./direct-imports.mjs";
import { generateTools } from "./generate-tools.mjs";
import { writeSchemas } from "./json-schemas.mjs";
import { writeReference } from "./reference/write-reference.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);
const direct = directImportsPlugin(root);
rmSync("dist", { recursive: true, force: true });
await generateTools();
listAgents();

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

/** CommonJS in one file: V8 caches compiled code of scripts, and a module that is imported on demand runs on demand. */
const program = {
  ...bundle,
  format: "cjs",
  outdir: "dist",
  define: { "import.meta.url": "importMetaUrl" },
  // Its CommonJS files load each other in a way that esbuild does not see.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  // What is not bundled is required: a script with cached data cannot import.
  supported: { "dynamic-import": false },
  banner: { js: 'const importMetaUrl=require("node:url").pathToFileURL(__filename).href;' },
};

const derived = await deriveFromCommands();
writeTable(derived.table);
/**
 * What only some starts load, by the file of its bundle: nobody else reads it. The module is imported on demand, and here it is
 * required from beside the bundle.
 */
const ON_DEMAND = {
  early: "packages/cli/src/start/answer-early.ts",
  picker: "packages/cli/src/pick-on-terminal.ts",
  redis: "packages/fleet/src/redis-client.ts",
  telemetry: "packages/telemetry/src/otel/open-otel.ts",
};
const loadedOnDemand = {
  name: "loaded-on-demand",
  setup({ onResolve }) {
    for (const [name, file] of Object.entries(ON_DEMAND)) {
      const module = path.basename(file).replaceAll(".", "\\.");
      onResolve({ filter: new RegExp(`/${module}$`) }, ({ kind }) =>
        kind === "dynamic-import" ? { path: `./${name}.js`, external: true } : undefined,
      );
    }
  },
};
const BUNDLES = [...new Set(Object.values(derived.bundles))];
/** The library is in the bundle that has all of it already. It is required on demand: no start of a server pays for it. */
const WITH_LIBRARY = `export { main } from "./main.ts"; export const library = () => require("./library-api.ts");`;
const entryOf = (name) =>
  name === "server"
    ? { stdin: { contents: WITH_LIBRARY, resolveDir: path.resolve("packages/cli/src"), loader: "ts" } }
    : { entryPoints: ["packages/cli/src/main.ts"] };
const built = await Promise.all(
  BUNDLES.map((name) =>
    build({
      ...program,
      ...entryOf(name),
      outdir: undefined,
      outfile: `dist/${name}.js`,
      plugins: [loadedOnDemand, direct],
      external: Object.entries(derived.bundles)
        .filter(([, bundle]) => bundle !== name)
        .map(([command]) => `./commands/${command}.ts`),
    }),
  ),
);

// What is read at every start has only those facts of agents that it uses: name a group here before code there reads it.
const { early, ...others } = ON_DEMAND;
built.push(
  await build({ ...program, plugins: [direct], entryPoints: others }),
  await build({
    ...program,
    plugins: [await agentsWith("folders", "client"), direct],
    entryPoints: { early },
  }),
);

// `hook run`, which agents wait for, has a bundle of its own, without anything that only a start would pay for.
const { banner: _unused, ...small } = program;
built.push(
  await build({
    ...small,
    entryPoints: { hook: "packages/cli/src/start/hook.ts" },
    plugins: [await computedAliases(), await agentsWith("hook"), direct],
  }),
);

for (const [file, text] of Object.entries(derived.shellFiles)) {
  mkdirSync(path.join("dist", path.dirname(file)), { recursive: true });
  writeFileSync(path.join("dist", file), text);
}
const buildId = createHash("sha256");
for (const name of [...BUNDLES, ...Object.keys(ON_DEMAND), "hook"])
  buildId.update(writeAscii(`dist/${name}.js`));
const start = await build({
  ...bundle,
  // Old versions must be able to parse it: they say that they are too old.
  target: "node12",
  format: "cjs",
  outdir: "dist",
  entryPoints: { cli: "packages/cli/src/start/main.ts" },
  plugins: [loadedOnDemand, direct],
  supported: program.supported,
  banner: { js: `#!/usr/bin/env node\n${refuseOldNode()}` },
  define: {
    BUILD_ID: JSON.stringify(buildId.digest("hex").slice(0, 16)),
    COMMAND_BUNDLES: JSON.stringify(derived.bundles),
  },
});
chmodSync("dist/cli.js", 0o755);
writeFileSync("dist/package.json", '{ "type": "commonjs" }\n');

// What a Node without type stripping loads to run TypeScript. Scripts need it, the server never loads it.
const typescript = await build({
  ...bundle,
  format: "esm",
  outfile: "dist/typescript.mjs",
  plugins: [direct],
  entryPoints: ["packages/library/src/typescript/register-typescript.ts"],
});

mkdirSync("dist/lib");
writeFileSync("dist/lib/index.js", libraryModule());
writeFileSync("dist/lib/package.json", '{ "type": "module" }\n');
cpSync("packages/cli/library.d.ts", "dist/lib/index.d.ts");

cpSync("data", "dist/data", { recursive: true });
await writeSchemas("dist/schemas");
await writeReference();
const webInputs = await buildWeb("dist/web");
const inputs = [...built, start, typescript].flatMap(({ metafile }) => Object.keys(metafile.inputs));
const bundled = bundledPackages([...inputs, ...webInputs]);
const wordTable = readFileSync("data/NOTICE.txt", "utf8");
writeFileSync("dist/sbom.cdx.json", `${JSON.stringify(sbom(bundled), null, 2)}\n`);
writeFileSync("dist/THIRD-PARTY-NOTICES.txt", `${notices(bundled)}\n${"-".repeat(80)}\n\n${wordTable}`);

/**
 * The start reads bundles as Latin-1, in which any other character would become several. esbuild escapes strings, but not
 * regular expressions, in which such an escape means the same. Returns the text.
 */
function writeAscii(file) {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const text = readFileSync(file, "utf8").replace(/[^\0-\x7f]/g, escaped);
  writeFileSync(file, text);
  return text;
}

/**
 * What runs before anything is required, because Node 12 knows no `node:fs`: ends the program on a Node that is older than
 * package.json asks for, with both versions.
 */
function refuseOldNode() {
  const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
  const [, oldest, major, minor] = /^>=((\d+)\.(\d+)(?:\.0)?)$/.exec(engines.node) ?? [];
  if (oldest === undefined)
    throw new Error(`package.json: engines.node is '${engines.node}', not '>=20.20'.`);
  return [
    '"use strict";var nodeVersion=process.versions.node.split(".");',
    `if(+nodeVersion[0]<${major}||+nodeVersion[0]===${major}&&+nodeVersion[1]<${minor}){`,
    `process.stderr.write("skills-mcp: Node.js "+process.versions.node+" is too old: skills-mcp needs ${oldest} or newer. Update Node.js, or start skills-mcp with a newer one.\\n");`,
    "process.exit(1)}",
  ].join("");
}

/** What follows from the declarations of all commands (packages/cli/src/derive-from-commands.ts). */
async function deriveFromCommands() {
  const folder = "packages/cli/src";
  const names = readdirSync(path.join(folder, "commands"))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => path.basename(file, ".ts"));
  const imports = names.map((name, index) => `import { command as c${index} } from "./commands/${name}.ts";`);
  const files = names.map((name, index) => `${JSON.stringify(name)}: c${index}`);
  const contents = `${imports.join("\n")}
import { deriveFromCommands } from "./derive-from-commands.ts";
export const derived = deriveFromCommands({ ${files.join(", ")} });`;
  const outfile = path.resolve("node_modules", ".cache", "shell", "derive.cjs");
  const stdin = { contents, resolveDir: path.resolve(folder), loader: "ts" };
  await build({ ...program, outdir: undefined, outfile, plugins: [direct], stdin });
  return createRequire(import.meta.url)(outfile).derived;
}

/** Only where it differs: the sources may be read-only, and a test compares the table with the commands. */
function writeTable(text) {
  const file = "packages/cli/src/command-table.ts";
  if (readIfThere(file) !== text) writeFileSync(file, text);
}

/** Puts the table of aliases into a bundle as text, in which an entry is looked up: a map would take longer to make. */
async function computedAliases() {
  const outfile = path.resolve("node_modules", ".cache", "shell", "aliases.cjs");
  const entryPoints = ["packages/search/src/engine/words/alias-terms.ts"];
  await build({ ...program, outdir: undefined, outfile, plugins: [direct], entryPoints });
  const { aliasText } = createRequire(import.meta.url)(outfile);
  const table = `aliasesInText(${JSON.stringify(aliasText())})`;
  return {
    name: "computed-aliases",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]words[\\/]alias-terms\.ts$/ }, ({ path: file }) => ({
        contents: directImports(readFileSync(file, "utf8"), file).replace(
          "= aliasesByTerms();",
          () => `= ${table};`,
        ),
        loader: "ts",
      }));
    },
  };
}

/** Passes on what packages/cli/library.d.ts declares. Without `await`, so that `require()` loads it too. */
function libraryModule() {
  const types = readFileSync("packages/cli/library.d.ts", "utf8");
  const names = [...types.matchAll(/^export declare (?:const|function) (\w+)/gm)].map(([, name]) => name);
  return `import bundle from "../server.js";\nexport const { ${names.join(", ")} } = bundle.library();\n`;
}

function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
