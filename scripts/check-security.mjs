// Runs the tests of hostile clients and of races with far more frames and sessions, and for longer, than the tests do.
import path from "node:path";
import { ensureInstalled, root, run } from "./bootstrap.mjs";

ensureInstalled();
run(process.execPath, [path.join(root, "scripts", "build.mjs")]);
run(
  path.join(root, "node_modules", ".bin", "vitest"),
  [
    "run",
    "packages/server/test/http/server/hostile-clients.test.ts",
    "packages/server/test/http/server/guards.test.ts",
    "test/e2e/http-stdio-fuzz.test.ts",
    "packages/library/test/scripts/sandbox-findings.test.ts",
    "packages/util/test/files/open-inside.test.ts",
    "packages/skills/test/files/skill-file-content.test.ts",
    "--testTimeout=600000",
  ],
  {
    env: {
      SKILLS_MCP_FRAMES: "20000",
      SKILLS_MCP_SESSIONS: "10000",
      SKILLS_MCP_RACE_MS: "5000",
      ...process.env,
    },
  },
);
