// What the build does with the files of packages/agents/src/agents: lists them in their index.ts, and leaves out what a bundle
// that is read at every start does not need of them.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { directImportsPlugin } from "./direct-imports.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const folder = path.join(root, "packages", "agents", "src", "agents");
const index = path.join(folder, "index.ts");

/** Writes index.ts, which exports the agent of each file. One that is up to date is not touched. */
export function listAgents() {
  const camel = (name) => name.replaceAll(/-(.)/g, (_all, letter) => letter.toUpperCase());
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith(".ts") && name !== "index.ts")
    .map((name) => `export { agent as ${camel(name.slice(0, -3))} } from "./${name}";\n`);
  const text = `// Written by scripts/agents.mjs, which the build runs.\n${lines.sort().join("")}`;
  if (readFileSync(index, "utf8") !== text) writeFileSync(index, text);
}

/** A plugin of esbuild. Of every agent, the bundle has these groups alone, without their functions. */
export async function agentsWith(...groups) {
  const plugins = [directImportsPlugin(root)];
  const options = { absWorkingDir: root, bundle: true, format: "esm", platform: "node", write: false };
  const { outputFiles } = await build({ ...options, plugins, entryPoints: [index] });
  const module = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  const agents = Object.values(module).map((agent) =>
    Object.fromEntries(
      ["id", "title", "provider", "alsoCalled", ...groups]
        .filter((key) => key in agent)
        .map((key) => [key, agent[key]]),
    ),
  );
  const kept = agents.filter((agent) => groups.some((group) => group in agent));
  const contents = kept.map((agent, number) => `export const agent${number}=${sourceOf(agent)};`).join("\n");
  return {
    name: "agents-with",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]agents[\\/]src[\\/]agents[\\/]index\.ts$/ }, () => ({ contents }));
    },
  };
}

function sourceOf(value) {
  if (value instanceof RegExp) return String(value);
  if (Array.isArray(value)) return `[${value.map(sourceOf).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => typeof field !== "function");
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${sourceOf(field)}`).join(",")}}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) listAgents();
