// Writes the JSON Schemas of the files that people write: editors check and complete a file that names its schema in its first line.
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { build } from "esbuild";
import { root } from "./bootstrap.mjs";
import { directImportsPlugin } from "./direct-imports.mjs";

const SOURCE = `import { settingsSchema } from "./packages/config/src/json-schema.ts";
import { policySchema } from "./packages/trust/src/rules/json-schema.ts";
export const schemas = {
  "config.schema.json": settingsSchema("operator", "config.yaml of skills-mcp"),
  "project.schema.json": settingsSchema("project", ".skills-mcp.yaml of a project"),
  "trust.schema.json": policySchema("trust.yaml of skills-mcp"),
};`;

export async function writeSchemas(folder) {
  const outfile = path.join(root, "node_modules", ".cache", "schemas", "schemas.cjs");
  await build({
    absWorkingDir: root,
    bundle: true,
    format: "cjs",
    platform: "node",
    outfile,
    plugins: [directImportsPlugin(root)],
    stdin: { contents: SOURCE, resolveDir: root, loader: "ts" },
    define: { "import.meta.url": "__filename" },
    logLevel: "warning",
  });
  const { schemas } = createRequire(import.meta.url)(outfile);
  mkdirSync(folder, { recursive: true });
  for (const [name, schema] of Object.entries(schemas))
    writeFileSync(path.join(folder, name), `${JSON.stringify(schema, null, 2)}\n`);
}
