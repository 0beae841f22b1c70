// `npm run bench`: measures the built bin beside its floors. Names choose benchmarks, flags go to each of them:
//   npm run bench -- start load --rounds 5
import path from "node:path";
import { ensureBuilt, root, run } from "./bootstrap.mjs";

const BENCHES = ["start", "scan", "load", "catalog", "search-quality", "search-speed", "match", "http"];

const args = process.argv.slice(2);
const firstFlag = args.findIndex((arg) => arg.startsWith("-"));
const names = firstFlag < 0 ? args : args.slice(0, firstFlag);
const flags = firstFlag < 0 ? [] : args.slice(firstFlag);

const unknown = names.find((name) => !BENCHES.includes(name));
if (unknown !== undefined) {
  process.stderr.write(`There is no benchmark '${unknown}'. There are ${BENCHES.join(", ")}.\n`);
  process.exit(2);
}

ensureBuilt();
for (const name of names.length === 0 ? BENCHES : names) {
  run(path.join(root, "node_modules", ".bin", "tsx"), [`bench/${name}.ts`, ...flags]);
  console.log();
}
