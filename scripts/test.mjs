// The whole test run: format, lint, types, dead code and every test, with coverage by folder. Ends with the line
// `N passed, N failed`, where each check counts as one test. Arguments go to vitest and choose some tests; coverage is
// measured only for all of them.
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import path from "node:path";
import { ensureBuilt, root } from "./bootstrap.mjs";

ensureBuilt();

const bin = (name) => path.join(root, "node_modules", ".bin", name);
// Each check has one core at most, and several run at once: one checker does less in total than the four that tsc starts.
const types = (project) => ["--noEmit", "--singleThreaded", "-p", project];
const checks = [
  ["format", bin("biome"), ["check", "--error-on-warnings", "."]],
  ["lint", bin("oxlint"), ["--type-aware", "--deny-warnings"]],
  ["types", bin("tsc"), types(".")],
  ["types of the dashboard", bin("tsc"), types("packages/web")],
  ["types of the dashboard tests", bin("tsc"), types("packages/web/test")],
  ["dead code", bin("knip"), []],
  ["parts", process.execPath, [path.join(root, "scripts", "check-parts.mjs")]],
];

let passed = 0;
let failed = 0;
const scratch = mkdtempSync(path.join(tmpdir(), "skills-mcp-test-"));
const chosen = process.argv.slice(2);
// All at once: most tests wait for a process, a watcher or a browser, and the checks take what they leave. One run of vitest
// for all tests: each worker loads the sources once, and none is idle before the last file.
const checking = Promise.all(checks.map(check));
if (chosen.length > 0) {
  await reportChecks();
  reportTests("chosen", await runTests(chosen));
} else {
  const coverage = ["--coverage", `--coverage.reportsDirectory=${scratch}/coverage`];
  reportTests("all", await runTests(coverage));
  printCoverage(readJson(path.join(scratch, "coverage", "coverage-summary.json")) ?? {});
  await reportChecks();
}
rmSync(scratch, { recursive: true, force: true });

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs vitest, which prints as it goes. */
function runTests(args) {
  const results = path.join(scratch, "results.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`];
  const child = spawn(bin("vitest"), ["run", ...reporters, ...args], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  return new Promise((resolve) => {
    child.once("close", (status) => resolve({ status, results: readJson(results) }));
  });
}

/**
 * Counts the tests of a run; anything else that is wrong counts as one more: a file that cannot be loaded, an error outside
 * of the tests, or a threshold of coverage that is not met, which vitest names.
 */
function reportTests(name, { status, results }) {
  const { numPassedTests = 0, numFailedTests = 0 } = results ?? {};
  passed += numPassedTests;
  failed += numFailedTests;
  if (numFailedTests === 0) report(`${name} tests`, status === 0, "See above for what vitest reports.");
}

async function reportChecks() {
  for (const { name, status, output } of await checking) report(name, status === 0, output);
}

function report(name, isGood, output) {
  if (isGood) passed++;
  else failed++;
  console.log(isGood ? `ok      ${name}` : `FAILED  ${name}\n${output}`);
}

function check([name, command, args]) {
  const options = {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32",
    // For those written in Go, tsc and oxlint: they end soon and need less than 2 GB, so they collect no garbage below 3 GB.
    env: { GOGC: "off", GOMEMLIMIT: "3GiB", ...process.env },
  };
  return new Promise((resolve) => {
    const { pid } = execFile(command, args, options, (error, stdout, stderr) => {
      resolve({ name, status: error === null ? 0 : 1, output: `${stdout}${stderr}` });
    });
    // Checks wait for nothing, so they fill the gaps of the tests, such as the core that is idle while coverage is computed.
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  });
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** One line for each part: the share of lines and branches that tests in this process ran. */
function printCoverage(files) {
  const parts = new Map();
  for (const [file, { lines, branches }] of Object.entries(files)) {
    if (file === "total") continue;
    const [part] = path.relative(path.join(root, "packages"), file).split(path.sep);
    const sum = parts.get(part) ?? { lines: [0, 0], branches: [0, 0] };
    for (const [total, { covered, total: all }] of [
      [sum.lines, lines],
      [sum.branches, branches],
    ]) {
      total[0] += covered;
      total[1] += all;
    }
    parts.set(part, sum);
  }
  const percent = ([covered, all]) => `${(all === 0 ? 100 : (100 * covered) / all).toFixed(1)}%`.padStart(9);
  console.log("coverage in process    lines branches");
  for (const [part, { lines, branches }] of [...parts].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`  ${part.padEnd(18)}${percent(lines)}${percent(branches)}`);
}
