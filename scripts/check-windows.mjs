// Runs the end-to-end tests with every server and every command as a process of Windows' Node under Wine. What Wine or Windows
// cannot do is skipped by name (test/support/windows-skips.ts); the list is printed at the end.
//   npm run check:windows                              Node 20, 22 and 24
//   npm run check:windows -- --node 22                 one of them
//   npm run check:windows -- test/e2e/list.test.ts     some files
//   npm run check:windows -- --short                   a few files with Node 20, ten minutes at most
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, root } from "./bootstrap.mjs";
import { NODES, startBridge, whyNoWine } from "./windows/wine.mjs";

/** One file for each thing that differs on Windows: paths, processes, watching, agents' files, installation, settings. */
const SHORT = [
  "windows-paths",
  "start",
  "protocol",
  "freshness",
  "connect",
  "hook",
  "cli",
  "toggle",
  "install-harm",
  "library-assets",
  "roots",
].map((name) => `test/e2e/${name}.test.ts`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { node: { type: "string", multiple: true }, short: { type: "boolean", default: false } },
});
const lines = values.node ?? (values.short ? ["20"] : Object.keys(NODES));
const unknown = lines.find((line) => !(line in NODES));
if (unknown !== undefined) {
  console.error(`unknown version '${unknown}'; use ${Object.keys(NODES).join(", ")}`);
  process.exit(2);
}
const missing = whyNoWine();
if (missing !== undefined) {
  console.log(`check:windows was skipped: ${missing}.`);
  process.exit(values.short ? 0 : 1);
}
ensureBuilt();
const files = positionals.length > 0 ? positionals : values.short ? SHORT : ["test/e2e"];
const reportFile = path.join(root, ".cache", "windows", "report.json");
for (const line of lines) await testWith(NODES[line]);

async function testWith(version) {
  console.log(`\nEnd-to-end tests with Windows' Node ${version} under Wine`);
  mkdirSync(path.dirname(reportFile), { recursive: true });
  const bridge = await startBridge(version);
  const vitest = path.join(root, "node_modules", ".bin", "vitest");
  // A process takes several times as long to start as on Linux.
  const { status } = spawnSync(
    vitest,
    [
      "run",
      ...files,
      "--testTimeout=600000",
      "--hookTimeout=600000",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${reportFile}`,
    ],
    {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, SKILLS_MCP_TEST_NODE: bridge.launcher, SKILLS_MCP_TEST_SYSTEM: "win32" },
    },
  );
  await bridge.close();
  printSkips(JSON.parse(readFileSync(reportFile, "utf8")));
  if (status !== 0) process.exitCode = 1;
}

/** Which files ran, and what of them was skipped. */
function printSkips({ testResults }) {
  const ran = testResults.map(({ name, assertionResults }) => ({
    name: path.relative(root, name),
    passed: assertionResults.filter(({ status }) => status === "passed").length,
    failed: assertionResults.filter(({ status }) => status === "failed").length,
    skipped: assertionResults.filter(({ status }) => status !== "passed" && status !== "failed"),
  }));
  for (const { name, skipped } of ran)
    for (const { fullName } of skipped) console.log(`skipped  ${name}: ${fullName}`);
  const count = (of) => ran.filter(of).length;
  const sum = (of) => ran.reduce((total, file) => total + of(file), 0);
  const part = Math.round((100 * count(({ passed }) => passed > 0)) / ran.length);
  console.log(
    `${sum(({ passed }) => passed)} tests passed, ${sum(({ failed }) => failed)} failed, ${sum(({ skipped }) => skipped.length)} were skipped; ` +
      `${count(({ passed }) => passed > 0)} of ${ran.length} files ran, at least in part (${part} %). docs/reference/platforms.md has the reasons.`,
  );
}
