// Runs the tests of hostile clients with far more frames and sessions than the tests do.
import path from "node:path";
import { ensureInstalled, root, run } from "./bootstrap.mjs";

ensureInstalled();
run(process.execPath, [path.join(root, "scripts", "build.mjs")]);
run(
  path.join(root, "node_modules", ".bin", "vitest"),
  [
    "run",
    "test/http/server/hostile-clients.test.ts",
    "test/http/server/guards.test.ts",
    "test/e2e/http-stdio-fuzz.test.ts",
    "--testTimeout=600000",
  ],
  { env: { SKILLS_MCP_FRAMES: "20000", SKILLS_MCP_SESSIONS: "10000", ...process.env } },
);
