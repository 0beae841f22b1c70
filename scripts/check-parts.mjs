// Prints what the parts of packages/ have in common and what they keep to themselves, and fails where a rule is broken.
// ARCHITECTURE.md describes the parts; scripts/parts/rules.mjs has the rules, test/parts.test.ts plants violations of each.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { declarationOf } from "./direct-imports.mjs";
import { linesOf, optionalFields, publicSymbols, repeatedTypes } from "./parts/figures.mjs";
import { sourcesIn } from "./parts/read-sources.mjs";
import { PARTS, violationsIn } from "./parts/rules.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const { imports } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

const MOST = {
  "public symbols": 640,
  "optional fields of an interface": 12,
  "type names declared twice": 10,
  "lines of the composition root": 200,
  "lines of a part's README.md": 80,
};

const all = [...["packages", "test", "bench"].flatMap((folder) => sourcesIn(root, folder))];
const sources = all.filter(({ file }) => /^packages\/[^/]+\/src\//.test(file));
const ofServer = sources.filter(({ file }) => !file.startsWith("packages/web/"));
const entries = Object.entries(imports).map(([specifier, file]) => ({ specifier, file: file.slice(2) }));

const problems = [...all.flatMap((source) => violationsIn(source, declaredIn)), ...PARTS.flatMap(missingIn)];
const symbols = publicSymbols(sources, entries);
const repeated = repeatedTypes(ofServer);
const [widest] = optionalFields(ofServer);
const composition = path.join(root, "packages/server/src/compose.ts");

console.log("public symbols");
for (const { specifier, names } of symbols)
  console.log(`  ${specifier.padEnd(16)}${String(names.length).padStart(4)}`);
check(
  "public symbols",
  symbols.reduce((sum, { names }) => sum + names.length, 0),
);
check("optional fields of an interface", widest.count, `${widest.name}, ${widest.file}`);
check("type names declared twice", repeated.length, repeated.map(([name]) => name).join(", "));
console.log(`lines without the page: ${linesOf(sources)}`);
check("lines of the composition root", linesIn(composition));
check("lines of a part's README.md", Math.max(...PARTS.map((part) => linesIn(readmeOf(part)))));

for (const problem of problems) console.log(problem);
console.log(problems.length === 0 ? "ok" : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** The file that declares what a part exports; empty where it exports no such name. */
function declaredIn(specifier, name) {
  return declarationOf(specifier, name)?.file ?? "";
}

function check(what, count, which = "") {
  const isTooMuch = count > MOST[what];
  console.log(`${what}: ${count} of at most ${MOST[what]}${isTooMuch && which !== "" ? ` (${which})` : ""}`);
  if (isTooMuch) problems.push(`${what}: ${count} is more than ${MOST[what]}`);
}

function missingIn(part) {
  const folder = path.join(root, "packages", part);
  const tests = path.join(folder, "test");
  const missing = [];
  if (!existsSync(readmeOf(part))) missing.push(`packages/${part}: has no README.md`);
  const isEntry = part === "cli" || part === "web";
  if (!isEntry && !existsSync(path.join(folder, "src/index.ts")))
    missing.push(`packages/${part}: has no src/index.ts`);
  if (
    !existsSync(tests) ||
    !readdirSync(tests, { recursive: true }).some((name) => String(name).endsWith(".test.ts"))
  )
    missing.push(`packages/${part}: has no tests`);
  return missing;
}

function readmeOf(part) {
  return path.join(root, "packages", part, "README.md");
}

function linesIn(file) {
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n").length : 0;
}
