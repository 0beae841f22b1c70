// Writes the pages of docs/reference that follow from the code: commands, settings, tools, events, the API, audit rules, and what a
// skill file may contain. What code cannot tell (when an event happens, what an answer means) stands in the last columns of these
// tables and is kept. `npm run build` and `npm run docs:generate` write the pages; `--check` writes nothing and fails where a page
// is not current.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root } from "../bootstrap.mjs";
import { directImportsPlugin } from "../direct-imports.mjs";
import { apiPage, eventsPage, settingsPage } from "./kept-tables.mjs";
import { auditPage, commandsPage, skillFilePage, toolsPage } from "./pages.mjs";

const FOLDER = path.join(root, "docs", "reference");
const PAGES = {
  "commands.md": commandsPage,
  "settings.md": settingsPage,
  "tools.md": toolsPage,
  "events.md": eventsPage,
  "api.md": apiPage,
  "audit-rules.md": auditPage,
  "skill-file.md": skillFilePage,
};

/** Writes the pages that are not current. Returns their names. */
export async function writeReference({ check = false } = {}) {
  // A build without the documentation, as in the container image, has no pages to write.
  if (!existsSync(FOLDER)) return [];
  const facts = await loadFacts();
  const files = Object.entries(PAGES).map(([name, page]) => {
    const file = path.join(FOLDER, name);
    const known = existsSync(file) ? readFileSync(file, "utf8") : "";
    return { name, file, known, text: page(facts, known) };
  });
  const stale = files.filter(({ known, text }) => text !== known);
  if (!check) for (const { file, text } of stale) writeFileSync(file, text);
  return stale.map(({ name }) => `docs/reference/${name}`);
}

async function loadFacts() {
  const folder = "packages/cli/src/commands";
  const commands = readdirSync(path.join(root, folder)).filter((file) => file.endsWith(".ts"));
  const contents = [
    'export * from "./scripts/reference/facts.ts";',
    ...commands.map((file, index) => `import { command as c${index} } from "./${folder}/${file}";`),
    'import { renderCommandHelp, renderSharedFlags } from "./packages/cli/src/render/help.ts";',
    `const commands = [${commands.map((_, index) => `c${index}`).join(", ")}];`,
    "export const COMMANDS = commands.toSorted((a, b) => a.order - b.order || (a.name < b.name ? -1 : 1));",
    "const same = (text) => text;",
    "const look = { width: 100, style: { bold: same, dim: same, red: same, yellow: same, green: same, cyan: same } };",
    "export const helpOf = (command) => renderCommandHelp(command, look);",
    "export const SHARED_FLAGS = renderSharedFlags(look);",
  ];
  // Below node_modules, so that it finds them; copies of the repository may share the folder.
  const outfile = path.join(root, "node_modules", ".cache", "reference", `${process.pid}.mjs`);
  mkdirSync(path.dirname(outfile), { recursive: true });
  await build({
    absWorkingDir: root,
    stdin: { contents: contents.join("\n"), resolveDir: root, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    plugins: [directImportsPlugin(root)],
    logLevel: "warning",
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const check = process.argv.includes("--check");
  const stale = await writeReference({ check });
  if (check && stale.length > 0) {
    console.error(`Not current: ${stale.join(", ")}. Run \`npm run docs:generate\`.`);
    process.exitCode = 1;
  }
}
