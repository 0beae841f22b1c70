// Runs the end-to-end tests with this Node, 22 and 24, and every server as a process of its own, where `npm test` runs many
// in the process of the tests. The search must answer all of them byte for byte alike. The `node` package on npm has the binaries.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { ensureBuilt, root, run } from "./bootstrap.mjs";
import { searchAnswers } from "./search-answers.mjs";

ensureBuilt();
const answers = searchAnswers(process.execPath);
testWith(process.execPath, process.versions.node);
for (const version of ["22.23.3", "24.21.0"]) {
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
  testWith(path.join(prefix, "node_modules", "node", "bin", "node"), version);
}

function testWith(node, version) {
  if (searchAnswers(node) !== answers) throw new Error(`Node ${version} ranks skills differently.`);
  console.log(`\nEnd-to-end tests with Node ${version}`);
  run(path.join(root, "node_modules", ".bin", "vitest"), ["run", "test/e2e"], {
    env: { ...process.env, SKILLS_MCP_TEST_NODE: node },
  });
}
