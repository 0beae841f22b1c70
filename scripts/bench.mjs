// `npm run bench`: measures the built bin beside its floors. Names choose sections, flags change how:
//   npm run bench                               everything, into bench/results.json
//   npm run bench -- start load --rounds 5      two sections
//   npm run bench -- --quick --sizes 10,100     a look
//   npm run bench -- --peers --write-docs       other servers too, and the figures in the documentation
import path from "node:path";
import { ensureBuilt, root, run } from "./bootstrap.mjs";

const SECTIONS = [
  "start",
  "description",
  "scan",
  "load",
  "find",
  "changes",
  "catalog",
  "match",
  "http",
  "idle",
];
/** They compare ways to search with each other, print tables of their own and run only when named. */
const STUDIES = ["search-quality", "search-speed"];

const args = process.argv.slice(2);
const firstFlag = args.findIndex((arg) => arg.startsWith("-"));
const names = firstFlag < 0 ? args : args.slice(0, firstFlag);
const flags = firstFlag < 0 ? [] : args.slice(firstFlag);

const all = [...SECTIONS, ...STUDIES];
const unknown = names.find((name) => !all.includes(name));
if (unknown !== undefined) {
  process.stderr.write(`There is no benchmark '${unknown}'. There are ${all.join(", ")}.\n`);
  process.exit(2);
}

ensureBuilt();
const tsx = path.join(root, "node_modules", ".bin", "tsx");
const sections = names.filter((name) => SECTIONS.includes(name));
if (sections.length > 0 || names.length === 0) run(tsx, ["bench/suite.ts", ...sections, ...flags]);
for (const name of names.filter((name) => STUDIES.includes(name))) run(tsx, [`bench/${name}.ts`, ...flags]);
