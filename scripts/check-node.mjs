// Runs the end-to-end tests with Node 22 and 24. The `node` package on npm has the binaries.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { ensureBuilt, root, run } from "./bootstrap.mjs";

ensureBuilt();
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
  const node = path.join(prefix, "node_modules", "node", "bin", "node");
  console.log(`\nEnd-to-end tests with Node ${version}`);
  run(path.join(root, "node_modules", ".bin", "vitest"), ["run", "test/e2e"], {
    env: { ...process.env, SKILLS_MCP_TEST_NODE: node },
  });
}
