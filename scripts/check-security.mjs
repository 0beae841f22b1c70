// Runs the tests of hostile clients, of the sandbox (as root also as another user), of profiles at every door, of races and of
// interrupted commands with far more frames, sessions, catalogues and kills, and for longer, than the tests do. Measures the
// largest inputs of every tool.
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
    "test/e2e/library-sandbox.test.ts",
    "packages/server/test/doors",
    "packages/library/test/tools/working-folder.test.ts",
    "packages/library/test/scripts/sandbox-findings.test.ts",
    "packages/library/test/scripts/sandbox-escapes.test.ts",
    "packages/library/test/scripts/sandbox-users.test.ts",
    "packages/util/test/files/open-inside.test.ts",
    "packages/skills/test/files/skill-file-content.test.ts",
    "test/e2e/connect-races.test.ts",
    "test/e2e/install-kills.test.ts",
    "--testTimeout=600000",
  ],
  {
    env: {
      SKILLS_MCP_FRAMES: "20000",
      SKILLS_MCP_SESSIONS: "10000",
      SKILLS_MCP_RACE_MS: "5000",
      SKILLS_MCP_PROFILE_RUNS: "200",
      SKILLS_MCP_CONNECT_RUNS: "200",
      SKILLS_MCP_INSTALL_KILLS: "40",
      ...process.env,
    },
  },
);
// One after the other: what is measured must not wait for other tests.
run(
  path.join(root, "node_modules", ".bin", "vitest"),
  [
    "run",
    "packages/server/test/mcp/largest-inputs.test.ts",
    "test/e2e/stdio-memory.test.ts",
    "--maxWorkers=1",
  ],
  { env: { SKILLS_MCP_BLOCK_MS: "50", SKILLS_MCP_STDIO_MB: "300", ...process.env } },
);
