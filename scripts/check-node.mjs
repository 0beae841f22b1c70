// Runs the end-to-end tests with this Node, 22 and 24, and every server as a process of its own, where `npm test` runs many
// in the process of the tests. The search must answer all of them byte for byte alike. Older versions must say that they are too
// old. The `node` package on npm has the binaries.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { ensureBuilt, root, run } from "./bootstrap.mjs";
import { searchAnswers } from "./search-answers.mjs";

ensureBuilt();
const answers = searchAnswers(process.execPath);
testWith(process.execPath, process.versions.node);
for (const version of ["12.22.12", "18.20.8"]) expectTooOld(install(version), version);
for (const version of ["22.23.3", "24.21.0"]) testWith(install(version), version);

/** Returns the path of the binary. */
function install(version) {
  const prefix = path.join(root, "node_modules", ".cache", `node-${version}`);
  mkdirSync(prefix, { recursive: true });
  run("npm", [
    "install",
    "--prefix",
    prefix,
    "--no-save",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    `node@${version}`,
  ]);
  return path.join(prefix, "node_modules", "node", "bin", "node");
}

function expectTooOld(node, version) {
  const { status, stderr } = spawnSync(node, [path.join(root, "dist", "cli.js"), "list"], {
    encoding: "utf8",
  });
  if (status !== 1 || !stderr.startsWith(`skills-mcp: Node.js ${version} is too old`))
    throw new Error(`Node ${version} exits with ${status} and prints: ${stderr}`);
}

function testWith(node, version) {
  if (searchAnswers(node) !== answers) throw new Error(`Node ${version} ranks skills differently.`);
  console.log(`\nEnd-to-end tests with Node ${version}`);
  run(path.join(root, "node_modules", ".bin", "vitest"), ["run", "test/e2e"], {
    env: { ...process.env, SKILLS_MCP_TEST_NODE: node },
  });
}
