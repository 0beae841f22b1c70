// Runs the chaos test of git sources with far more rounds than the tests do: commits, force-pushes and kill -9.
import path from "node:path";
import { ensureInstalled, root, run } from "./bootstrap.mjs";

ensureInstalled();
run(path.join(root, "node_modules", ".bin", "vitest"), ["run", "test/sources/chaos.test.ts"], {
  env: { SKILLS_MCP_SYNC_ROUNDS: "2000", ...process.env },
});
