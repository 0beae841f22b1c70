// Did anything become slower? `npm run bench:compare -- before.json after.json` says what, and exits 1 if so.
import { compareRows } from "./report/compare-results.ts";
import { readResults } from "./report/results.ts";

const [before, after, ...rest] = process.argv.slice(2);
if (before === undefined || after === undefined || rest.length > 0) {
  process.stderr.write("Name two files with results: npm run bench:compare -- before.json after.json\n");
  process.exit(2);
}

const changes = compareRows(readResults(before).rows, readResults(after).rows);
for (const { verdict, text } of changes) if (verdict !== "same") console.log(text);
const worse = changes.filter(({ verdict }) => verdict === "worse").length;
const same = changes.filter(({ verdict }) => verdict === "same").length;
console.log(
  worse === 0
    ? `Nothing became worse beyond noise; ${same} rows are the same.`
    : `${worse} of ${changes.length} rows became worse.`,
);
process.exitCode = worse === 0 ? 0 : 1;
