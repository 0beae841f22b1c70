// The whole test run: format, lint, types, dead code, then every test against the built bin. Ends with the line
// `N passed, N failed`, where each check counts as one test.
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
  ["types of its tests", bin("tsc"), ["--noEmit", "-p", "test/web"]],
  ["dead code", bin("knip"), []],
];

let passed = 0;
let failed = 0;
// Side by side, because none of them keeps more than one core busy; told in order.
for (const { name, status, output } of await Promise.all(checks.map(check))) {
  if (status === 0) {
    passed++;
    console.log(`ok      ${name}`);
  } else {
    failed++;
    console.log(`FAILED  ${name}\n${output}`);
  }
}

const scratch = mkdtempSync(path.join(tmpdir(), "skills-mcp-test-"));
const report = path.join(scratch, "report.json");
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
const { status } = spawnSync(bin("vitest"), ["run", ...reporters, ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
});
try {
  const counts = JSON.parse(readFileSync(report, "utf8"));
  passed += counts.numPassedTests;
  failed += counts.numFailedTests;
} catch {
  failed++;
}
rmSync(scratch, { recursive: true, force: true });
// A suite that could not be loaded fails the run without a failed test in it.
if (status !== 0 && failed === 0) failed++;

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function check([name, command, args]) {
  return new Promise((resolve) => {
    execFile(command, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ name, status: error === null ? 0 : 1, output: `${stdout}${stderr}` });
    });
  });
}
