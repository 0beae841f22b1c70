// `npm run bench`: measures the built bin against its baselines. Names select sections; flags:
//   npm run bench                               everything, into bench/results.json
//   npm run bench -- start load --rounds 5      two sections
//   npm run bench -- --quick --sizes 10,100     a quick check
//   npm run bench -- --peers --write-docs       other servers too, and updates the documentation
//   npm run bench -- install-size               a cold installation, against other packages
//   npm run bench:compare -- a.json b.json      what changed beyond the noise
//   npm run bench:docs                          updates the documentation from bench/results.json
import path from "node:path";
import { ensureBuilt, ensureInstalled, root, run } from "./bootstrap.mjs";

const SECTIONS = [
  "start",
  "description",
  "scan",
  "stalls",
  "load",
  "find",
  "first",
  "hook",
  "changes",
  "catalog",
  "match",
  "http",
  "fleet",
  "install",
  "idle",
];
/** These print their own tables and run only when named. */
const STUDIES = {
  "search-quality": "packages/search/bench/quality.ts",
  "search-people": "packages/search/bench/people.ts",
  "search-speed": "packages/search/bench/speed.ts",
  "install-size": "bench/install-size.ts",
  audit: "packages/check/bench/audit.ts",
};

const tsx = path.join(root, "node_modules", ".bin", "tsx");
const args = process.argv.slice(2);
if (args[0] === "compare" || args[0] === "docs") {
  ensureInstalled();
  const files = args.slice(1).map((file) => path.resolve(file));
  run(tsx, [`bench/${args[0]}.ts`, ...files]);
  process.exit(0);
}
const firstFlag = args.findIndex((arg) => arg.startsWith("-"));
const names = firstFlag < 0 ? args : args.slice(0, firstFlag);
const flags = firstFlag < 0 ? [] : args.slice(firstFlag);

const all = [...SECTIONS, ...Object.keys(STUDIES)];
const unknown = names.find((name) => !all.includes(name));
if (unknown !== undefined) {
  process.stderr.write(`unknown benchmark '${unknown}'; use one of ${all.join(", ")}\n`);
  process.exit(2);
}

ensureBuilt();
const sections = names.filter((name) => SECTIONS.includes(name));
// A large young generation, so that what is measured as a server's latency is not garbage collection in this client.
const client = ["--min-semi-space-size=32", "--max-semi-space-size=64"];
if (sections.length > 0 || names.length === 0) run(tsx, [...client, "bench/suite.ts", ...sections, ...flags]);
for (const name of names) if (name in STUDIES) run(tsx, [STUDIES[name], ...flags]);
