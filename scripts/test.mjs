// The whole test run: format, lint, types, dead code, then every test against the built bin, with coverage by folder.
// Ends with the line `N passed, N failed`, where each check counts as one test. Arguments go to vitest and choose some
// tests; coverage is measured only for all of them.
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureBuilt, root } from "./bootstrap.mjs";

ensureBuilt();

const bin = (name) => path.join(root, "node_modules", ".bin", name);
const checks = [
  ["format", bin("biome"), ["check", "--error-on-warnings", "."]],
  ["lint", bin("oxlint"), ["--type-aware", "--deny-warnings"]],
  ["types", bin("tsc"), ["--noEmit", "-p", "."]],
  ["types of the dashboard", bin("tsc"), ["--noEmit", "-p", "web"]],
  ["types of the dashboard tests", bin("tsc"), ["--noEmit", "-p", "test/web"]],
  ["dead code", bin("knip"), []],
];

let passed = 0;
let failed = 0;
// In parallel, because each keeps only one core busy; reported in order.
for (const { name, status, output } of await Promise.all(checks.map(check)))
  report(name, status === 0, output);

const scratch = mkdtempSync(path.join(tmpdir(), "skills-mcp-test-"));
const results = path.join(scratch, "results.json");
const args = process.argv.slice(2);
const isWhole = args.length === 0;
const { status } = spawnSync(
  bin("vitest"),
  [
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${results}`,
    ...(isWhole ? ["--coverage", `--coverage.reportsDirectory=${scratch}/coverage`] : []),
    ...args,
  ],
  { cwd: root, stdio: "inherit", shell: process.platform === "win32" },
);
const counts = readJson(results);
passed += counts?.numPassedTests ?? 0;
failed += counts?.numFailedTests ?? 1;
if (isWhole && counts !== undefined) {
  printCoverage(readJson(path.join(scratch, "coverage", "coverage-summary.json")) ?? {});
  // vitest names each threshold that is missed, and ends with 1; so does a test file that cannot be loaded.
  if (counts.success === true)
    report("coverage", status === 0, "A threshold of vitest.config.ts is not met.");
}
if (status !== 0 && failed === 0) failed++;
rmSync(scratch, { recursive: true, force: true });

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function report(name, isGood, output) {
  if (isGood) passed++;
  else failed++;
  console.log(isGood ? `ok      ${name}` : `FAILED  ${name}\n${output}`);
}

function check([name, command, args]) {
  const options = { cwd: root, maxBuffer: 64 * 1024 * 1024, shell: process.platform === "win32" };
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      resolve({ name, status: error === null ? 0 : 1, output: `${stdout}${stderr}` });
    });
  });
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** One line for each folder of src/: the share of lines and branches that tests in this process ran. */
function printCoverage(files) {
  const folders = new Map();
  for (const [file, { lines, branches }] of Object.entries(files)) {
    const [top, second] = path.relative(path.join(root, "src"), file).split(path.sep);
    // The total, and files of no folder.
    if (file === "total" || second === undefined) continue;
    const folder = top === "search" && second === "engine" ? "search/engine" : top;
    const sum = folders.get(folder) ?? { lines: [0, 0], branches: [0, 0] };
    for (const [total, { covered, total: all }] of [
      [sum.lines, lines],
      [sum.branches, branches],
    ]) {
      total[0] += covered;
      total[1] += all;
    }
    folders.set(folder, sum);
  }
  const percent = ([covered, all]) => `${(all === 0 ? 100 : (100 * covered) / all).toFixed(1)}%`.padStart(9);
  console.log("coverage in process    lines branches");
  for (const [folder, { lines, branches }] of [...folders].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`  src/${folder.padEnd(14)}${percent(lines)}${percent(branches)}`);
}
