// Kills recording processes far more often than the tests do, and looks for events that were lost.
import path from "node:path";
import { ensureInstalled, root, run } from "./bootstrap.mjs";

ensureInstalled();
run(path.join(root, "node_modules", ".bin", "vitest"), ["run", "test/usage/delivery.chaos.test.ts"], {
  env: { ...process.env, SKILLS_MCP_DELIVERY_KILLS: process.argv[2] ?? "500" },
});
